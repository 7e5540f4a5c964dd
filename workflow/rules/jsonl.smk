# The user's own documents, one file per language.

FILES = {x: config["corpus"]["path"].replace("{language}", x) for x in LANGUAGES}

for language, path in FILES.items():
    if not Path(path).is_file():
        raise WorkflowError(
            f"corpus.path: there is no file {path} for language {language!r}. Relative paths "
            f"start at {Path.cwd()}; the key is {config['corpus']['path']!r}."
        )

for language, path in FILES.items():
    same = next(x for x in FILES if content(FILES[x]) == content(path))
    if same != language:
        raise WorkflowError(
            f"corpus.path: {FILES[same]} and {path} are the same text: each document would be "
            f"found by its very copy. Give {same!r} and {language!r} files of their own."
        )


rule documents:
    input:
        source=lambda w: ancient(FILES[w.language]),
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
        mem_mb=2000,
    params:
        code=code("documents_jsonl.py"),
        content=lambda w: content(FILES[w.language]),
    script:
        "../scripts/documents_jsonl.py"


include: "bags.smk"
