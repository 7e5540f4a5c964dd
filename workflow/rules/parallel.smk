# Parallel text of tasks: aligned and cleaned once for all systems.


rule aligned:
    input:
        files=files_of_bundle,
    output:
        directory(ALIGNED),
    log:
        f"{RESULTS}/logs/aligned/{{task}}/{{bundle}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/aligned/{{task}}/{{bundle}}.tsv"
    wildcard_constraints:
        bundle="|".join({bundle for found in BUNDLES.values() for bundle in found})
        or "none",
    conda:
        "../../envs/text.yaml"
    resources:
        mem_mb=memory("task_data"),
        runtime=minutes("task_data"),
    params:
        code=code("aligned.py"),
        content=lambda w: [
            content(file)
            for file in files_of_bundle(w)
            if not file.startswith(f"{RESULTS}/")
        ],
        places=places_of,
        of_corpus=lambda w: is_of_corpus(config["tasks"][w.task]),
        options=lambda w: {
            key: config["tasks"][w.task][key]
            for key in ("min_words", "candidates", "idf", "idf_lines")
        },
        seed=config["seed"],
    script:
        "../scripts/aligned.py"
