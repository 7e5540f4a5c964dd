# The user's own documents, one file per language, in columns.
from cr5.corpora import part_files

FILES = {
    x: part_files.find(config["corpus"]["path"], x, config["corpus"]["codes"])
    for x in LANGUAGES
}


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
        code=lambda w: code("documents_tsv.py"),
        content=lambda w: content(FILES[w.language]),
        columns={key: config["corpus"][key] for key in ("concept", "text")},
    script:
        "../scripts/documents_tsv.py"


include: "bags.smk"
