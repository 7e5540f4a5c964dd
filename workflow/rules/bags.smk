# Documents to bags of words, bags to splits.


rule bags:
    input:
        documents=rules.documents.output.documents,
        code=code("bags.py"),
    output:
        directory(f"{RESULTS}/bags/{{language}}"),
    log:
        f"{RESULTS}/logs/bags/{{language}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/bags/{{language}}.tsv"
    conda:
        "../../envs/text.yaml"
    resources:
        mem_mb=4000,
    params:
        rules=config["bags"],
    script:
        "../scripts/bags.py"


rule splits:
    input:
        bags=expand(rules.bags.output, language=LANGUAGES),
        code=code("splits.py"),
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
        mem_mb=4000,
    params:
        all_languages=LANGUAGES,
        pairs=configuration.searched_pairs(SETTINGS),
        languages=lambda w: list(SETTINGS[w.setting].languages),
        sizes=config["splits"],
        seed=config["seed"],
    script:
        "../scripts/splits.py"
