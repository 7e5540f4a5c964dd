# Documents that are already weights of numbered words, with a class each.
from cr5.texts.sources import matrix

WEIGHTED = {
    x: matrix.files(
        *[config["corpus"][key] for key in ("path", "codes", "originals")], x
    )
    for x in LANGUAGES
}

for found in WEIGHTED.values():
    for path in found.values():
        require(path, "corpus.path")


rule bags:
    input:
        lambda w: [ancient(path) for path in WEIGHTED[w.language].values()],
    output:
        bags=directory(BAGS),
        documents=directory(DOCUMENTS),
    log:
        f"{RESULTS}/logs/bags/{{language}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("bags"),
    params:
        code=lambda w: code("bags_matrix.py"),
        content=lambda w: [content(x) for x in WEIGHTED[w.language].values()],
        files=lambda w: WEIGHTED[w.language],
        rules=config["bags"],
        prefix=lambda w: matrix.prefix_of(config["corpus"]["path"], w.language),
    script:
        "../scripts/bags_matrix.py"
