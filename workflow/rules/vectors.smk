# Monolingual word vectors, trained on what a repetition leaves.


# The longest jobs start first, so that none is left running alone at the end.
rule vectors:
    input:
        documents=DOCUMENTS,
        draw=rules.draw.output[0],
        channel=channel_of_vectors,
    output:
        directory(VECTORS),
    log:
        f"{RESULTS}/logs/vectors/{{language}}/{{repetition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/vectors/{{language}}/{{repetition}}.tsv"
    priority: 100
    conda:
        "../../envs/environment.yaml"
    threads: config["vectors"]["threads"]
    resources:
        **requested("vectors"),
    params:
        code=lambda w: code("vectors.py"),
        tokens=TOKENS,
        stop_words=stop_words,
        channel=lambda w: [content(path) for path in channel_of_vectors(w)],
        options=config["vectors"],
        processor=config["processor"],
        seed=lambda w: seed_of(config["seed"], int(w.repetition)),
    script:
        "../scripts/vectors.py"
