# Documents that are already weights of numbered words, with a class each.
from cr5.corpora.sources import matrix

WEIGHTED = {
    x: matrix.places(
        *[config["corpus"][key] for key in ("path", "codes", "originals")],
        x,
        LANGUAGES[0],
    )
    for x in LANGUAGES
}

for places in WEIGHTED.values():
    for place in places:
        require(place.path, "corpus.path")
        require(place.like, "corpus.path")


rule bags:
    input:
        read=lambda w: [ancient(place.path) for place in WEIGHTED[w.language]],
        like=lambda w: [ancient(place.like) for place in WEIGHTED[w.language]],
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
        content=lambda w: [
            content(path)
            for place in WEIGHTED[w.language]
            for path in (place.path, place.like)
        ],
        places=lambda w: [asdict(place) for place in WEIGHTED[w.language]],
        rules=config["bags"],
        prefix=lambda w: matrix.prefix_of(config["corpus"]["path"], w.language),
    script:
        "../scripts/bags_matrix.py"
