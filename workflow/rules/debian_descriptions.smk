# An embedded corpus of many short texts: the descriptions of Debian's packages.

from cr5.corpora.translations import check_distinct

DESCRIPTIONS = config["corpus"].get("path", f"{RESULTS}/source")

try:
    check_distinct(LANGUAGES)
except UserError as error:
    raise WorkflowError(str(error))

# The languages among which sentences are divided; none if each language keeps them all.
APART = config["corpus"]["paragraphs"] == "comparable"

# The user's folder, or else an output.
OWN = "path" in config["corpus"]

if OWN:
    if not Path(DESCRIPTIONS).is_dir():
        raise WorkflowError(f"corpus.path: there is no folder {DESCRIPTIONS}")

else:

    rule source:
        output:
            directory(DESCRIPTIONS),
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
            code=lambda w: code("source_debian_descriptions.py"),
            languages=LANGUAGES,
        script:
            "../scripts/source_debian_descriptions.py"


rule documents:
    input:
        source=ancient(DESCRIPTIONS) if OWN else DESCRIPTIONS,
    output:
        documents=DOCUMENTS,
        source=NOTES,
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
        code=lambda w: code("documents_debian_descriptions.py"),
        content=lambda w: content(DESCRIPTIONS) if OWN else None,
        languages=sorted(LANGUAGES),
        among=sorted(LANGUAGES) if APART else [],
    script:
        "../scripts/documents_debian_descriptions.py"


include: "bags.smk"
