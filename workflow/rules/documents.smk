# The documents of a source that is one module: fetched, if no path is given, and read by language.
IS_FETCHED = not config["corpus"].get("path")
TEXTS = {
    language: files.of_corpus(config, language) or f"{RESULTS}/source"
    for language in LANGUAGES
}

# Parallel paragraphs, for tasks that use them as sentences.
if TEXT.parallel:
    PARAGRAPHS = f"{RESULTS}/paragraphs/{{language}}"


if IS_FETCHED:

    rule source:
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
            corpus=config["corpus"],
        script:
            "../scripts/source.py"


rule documents:
    input:
        texts=lambda w: (ancient if not IS_FETCHED else str)(str(TEXTS[w.language])),
    output:
        documents=directory(DOCUMENTS),
        paragraphs=[directory(PARAGRAPHS)] if PARAGRAPHS else [],
    log:
        f"{RESULTS}/logs/documents/{{language}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("documents"),
    params:
        code=lambda w: [code("documents.py"), fingerprint(SOURCE)],
        content=lambda w: None if IS_FETCHED else content(TEXTS[w.language]),
        languages=sorted(LANGUAGES) if TEXT.together else [],
        corpus=config["corpus"],
    script:
        "../scripts/documents.py"


include: "bags.smk"
