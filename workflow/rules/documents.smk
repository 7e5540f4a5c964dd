# The documents of a source that is one module: fetched, if no path is given, and read by language.
from cr5.plan.corpus import KEYS, missing, own_files, same_text

IS_FETCHED = not config["corpus"].get("path")
TEXTS = {
    language: own_files(config["corpus"], language) or f"{RESULTS}/source"
    for language in LANGUAGES
}
refuse(
    [
        *missing(config["corpus"], LANGUAGES),
        *same_text(config["corpus"], LANGUAGES, content),
    ]
)

# Parallel paragraphs, for tasks that use them as sentences.
if literal(config["corpus"], "PARALLEL"):
    PARAGRAPHS = f"{RESULTS}/paragraphs/{{language}}.parquet"


if IS_FETCHED:

    rule source:
        input:
            # Ancient: only its syntax counts, in the parameter `code`.
            module=ancient(os.path.relpath(SOURCE)),
        output:
            directory(f"{RESULTS}/source"),
        log:
            f"{RESULTS}/logs/source.log",
        conda:
            "../../envs/environment.yaml"
        resources:
            **requested("source"),
            downloads=1,
        params:
            code=lambda w: [code("source.py"), fingerprint(SOURCE)],
            languages=LANGUAGES,
        script:
            "../scripts/source.py"


rule documents:
    input:
        texts=lambda w: (ancient if not IS_FETCHED else str)(str(TEXTS[w.language])),
        module=ancient(os.path.relpath(SOURCE)),
    output:
        documents=DOCUMENTS,
        notes=NOTES,
        paragraphs=[PARAGRAPHS] if PARAGRAPHS else [],
    log:
        f"{RESULTS}/logs/documents/{{language}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("documents"),
    params:
        code=lambda w: [code("documents.py"), fingerprint(SOURCE)],
        content=lambda w: None if IS_FETCHED else content(TEXTS[w.language]),
        languages=sorted(LANGUAGES) if literal(config["corpus"], "TOGETHER") else [],
        options={x: y for x, y in config["corpus"].items() if x not in KEYS},
    script:
        "../scripts/documents.py"


include: "bags.smk"
