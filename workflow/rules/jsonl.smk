# The user's own documents, one file per language, one object per line.

FILES = {x: config["corpus"]["path"].replace("{language}", x) for x in LANGUAGES}


include: "own_files.smk"


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
        mem_mb=memory("documents"),
        runtime=minutes("documents"),
    params:
        code=lambda w: code("documents_jsonl.py"),
        content=lambda w: content(FILES[w.language]),
        capitalised=config["corpus"].get("capitalised", "keep"),
    script:
        "../scripts/documents_jsonl.py"


include: "bags.smk"
