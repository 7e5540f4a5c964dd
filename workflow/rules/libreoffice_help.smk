# The embedded default corpus: the help pages of LibreOffice, from Debian's packages.

from cr5.corpora.help_packages import check_distinct

HELP = config["corpus"].get("path", f"{RESULTS}/source")

try:
    check_distinct(LANGUAGES)
except UserError as error:
    raise WorkflowError(str(error))

# The languages among which paragraphs are divided; none if each language keeps them all.
APART = config["corpus"]["paragraphs"] == "comparable"
AMONG = sorted(LANGUAGES) if APART else []

# All paragraphs, in parallel, for tasks that use them as sentences.
PARAGRAPHS = f"{RESULTS}/paragraphs/{{language}}.parquet"

# The user's folder, or else an output.
OWN = "path" in config["corpus"]

if OWN:
    if not Path(HELP).is_dir():
        raise WorkflowError(f"corpus.path: there is no folder {HELP}")

else:

    rule source:
        output:
            directory(HELP),
        log:
            f"{RESULTS}/logs/source.log",
        benchmark:
            f"{RESULTS}/benchmarks/source.tsv"
        conda:
            "../../envs/text.yaml"
        resources:
            downloads=1,
            mem_mb=memory("source"),
            runtime=minutes("source"),
        params:
            code=lambda w: code("source_libreoffice_help.py"),
            languages=LANGUAGES,
        script:
            "../scripts/source_libreoffice_help.py"


rule documents:
    input:
        source=ancient(HELP) if OWN else HELP,
    output:
        documents=DOCUMENTS,
        source=NOTES,
        paragraphs=PARAGRAPHS,
    log:
        f"{RESULTS}/logs/documents/{{language}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/documents/{{language}}.tsv"
    conda:
        "../../envs/text.yaml"
    resources:
        mem_mb=memory("documents"),
        runtime=minutes("documents"),
    params:
        code=lambda w: code("documents_libreoffice_help.py"),
        content=lambda w: content(HELP) if OWN else None,
        among=AMONG,
    script:
        "../scripts/documents_libreoffice_help.py"


include: "bags.smk"
