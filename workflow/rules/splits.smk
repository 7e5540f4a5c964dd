# Concepts to training, validation, test and candidates.


rule splits:
    input:
        bags=expand(BAGS, language=LANGUAGES),
    output:
        split=f"{RESULTS}/splits/{{setting}}.parquet",
        pairs=f"{RESULTS}/splits/{{setting}}.csv",
    log:
        f"{RESULTS}/logs/splits/{{setting}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/splits/{{setting}}.tsv"
    conda:
        "../../envs/text.yaml"
    resources:
        mem_mb=corpus_memory,
    params:
        code=code("splits.py"),
        all_languages=LANGUAGES,
        pairs=configuration.searched_pairs(SETTINGS),
        languages=lambda w: list(SETTINGS[w.setting].languages),
        sizes=config["splits"],
        seed=config["seed"],
    script:
        "../scripts/splits.py"
