# Parallel text of tasks and of the aligner: joined and cleaned once for all systems.


rule aligned:
    input:
        made=lambda w: files_of_bundle(w.task, w.bundle)[0],
        given=lambda w: [ancient(x) for x in files_of_bundle(w.task, w.bundle)[1]],
    output:
        directory(ALIGNED),
    log:
        f"{RESULTS}/logs/aligned/{{task}}/{{bundle}}.log",
    wildcard_constraints:
        task="|".join(map(re.escape, BUNDLES)) or "none",
        bundle="|".join({bundle for found in BUNDLES.values() for bundle in found})
        or "none",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("task_data"),
    params:
        code=lambda w: code("aligned.py"),
        content=lambda w: content_of_bundle(w.task, w.bundle),
        places=lambda w: places_of(w.task, w.bundle),
        of_corpus=lambda w: is_of_corpus(sentences_of(config, w.task)),
        options=lambda w: {
            key: sentences_of(config, w.task)[key]
            for key in ("min_words", "candidates", "idf", "idf_lines", "validation")
            if key in sentences_of(config, w.task)
        },
        seed=config["seed"],
    script:
        "../scripts/aligned.py"
