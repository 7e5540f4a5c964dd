# Word vectors for the systems that start from them, and the fits.


rule vectors:
    input:
        documents=DOCUMENTS,
        split=rules.splits.output.split,
    output:
        f"{RESULTS}/vectors/{{setting}}/{{language}}.parquet",
    log:
        f"{RESULTS}/logs/vectors/{{setting}}/{{language}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/vectors/{{setting}}/{{language}}.tsv"
    conda:
        "../../envs/systems.yaml"
    resources:
        mem_mb=corpus_memory,
    params:
        code=code("vectors.py"),
        options=config["vectors"],
        seed=config["seed"],
    script:
        "../scripts/vectors.py"


rule fit:
    input:
        bags=of_languages(BAGS),
        split=rules.splits.output.split,
        vectors=vector_files,
        # Ancient: what counts is its syntax, in the parameter `code`.
        system=lambda w: ancient(os.path.relpath(system_source(w.system))),
    output:
        directory(f"{RESULTS}/models/{{setting}}/{{system}}"),
    log:
        f"{RESULTS}/logs/fit/{{setting}}/{{system}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fit/{{setting}}/{{system}}.tsv"
    conda:
        "../../envs/systems.yaml"
    threads: config["threads"]["fit"]
    resources:
        mem_mb=corpus_memory,
    params:
        code=lambda w: [code("fit.py"), fingerprint(system_source(w.system))],
        languages=lambda w: list(SETTINGS[w.setting].languages),
        options=lambda w: config["systems"][w.system],
        term_frequency=config["weighting"]["term_frequency"],
        seed=config["seed"],
        corpus=config["corpus"],
    script:
        "../scripts/fit.py"


rule rank:
    input:
        bags=of_languages(BAGS),
        split=rules.splits.output.split,
        model=rules.fit.output[0],
    output:
        directory(f"{RESULTS}/ranks/{{setting}}/{{system}}"),
    log:
        f"{RESULTS}/logs/rank/{{setting}}/{{system}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/rank/{{setting}}/{{system}}.tsv"
    conda:
        "../../envs/text.yaml"
    threads: config["threads"]["rank"]
    resources:
        mem_mb=corpus_memory,
    params:
        code=code("rank.py"),
        languages=lambda w: list(SETTINGS[w.setting].languages),
        csls_neighbours=config["evaluation"]["csls_neighbours"],
        csls_neighbourhood=config["evaluation"]["csls_neighbourhood"],
    script:
        "../scripts/rank.py"
