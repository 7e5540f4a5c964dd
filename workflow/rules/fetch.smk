# Single files that systems and tasks name by their addresses.
from cr5.corpora.parallel import fetched_name

FETCHED = f"{RESULTS}/fetched/{{file}}"
ADDRESSES = {}  # by the name that a file has here


def fetched_from(address):
    """Where a file is fetched to."""
    name = fetched_name(address)
    ADDRESSES[name] = address
    return FETCHED.format(file=name)


# What has come of a file stays beside it as .part, which snakemake does not know and so keeps.
rule fetch:
    output:
        file=FETCHED,
        pin=f"{RESULTS}/fetched/{{file}}.pin.tsv",
    log:
        f"{RESULTS}/logs/fetched/{{file}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fetched/{{file}}.tsv"
    wildcard_constraints:
        file="[^/]+",
    conda:
        "../../envs/text.yaml"
    resources:
        downloads=1,
        mem_mb=500,
        runtime=lambda w, attempt: attempt * 240,
    # No code: another version of it must not fetch gigabytes again.
    params:
        address=lambda w: ADDRESSES[w.file],
    script:
        "../scripts/fetch.py"
