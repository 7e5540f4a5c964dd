# Documents to bags of words.


rule bags:
    input:
        documents=DOCUMENTS,
        vectors=VOCABULARY,
    output:
        directory(BAGS),
    log:
        f"{RESULTS}/logs/bags/{{language}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("bags"),
    params:
        code=lambda w: code("bags.py"),
        rules=config["bags"],
        stop_words=stop_words,
    script:
        "../scripts/bags.py"
