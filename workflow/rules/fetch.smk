# Single files that systems and tasks name by URL.


# A partial download stays beside the file as .part, which snakemake does not know and so keeps.
rule fetch:
    output:
        FETCHED,
    log:
        f"{RESULTS}/logs/fetched/{{file}}.log",
    wildcard_constraints:
        file="[^/]+",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("fetch"),
        downloads=1,
    # No code: another version of it must not fetch gigabytes again.
    params:
        address=lambda w: ADDRESSES[w.file],
    script:
        "../scripts/fetch.py"
