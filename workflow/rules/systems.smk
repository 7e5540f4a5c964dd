# Word vectors for the systems that start from them, and the fits.


# What takes longest begins first: nothing is left to do beside it where it ends last.
rule vectors:
    input:
        documents=DOCUMENTS,
        draw=rules.draw.output[0],
    output:
        f"{RESULTS}/vectors/{{language}}/{{repetition}}.parquet",
    log:
        f"{RESULTS}/logs/vectors/{{language}}/{{repetition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/vectors/{{language}}/{{repetition}}.tsv"
    priority: 100
    conda:
        "../../envs/systems.yaml"
    threads: config["vectors"]["threads"]
    resources:
        mem_mb=memory("vectors"),
        runtime=minutes("vectors"),
    params:
        code=code("vectors.py"),
        options=config["vectors"],
        processor=config["processor"],
        seed=lambda w: seed_of(config["seed"], int(w.repetition)),
    script:
        "../scripts/vectors.py"


rule fit:
    input:
        bags=of_languages(BAGS),
        draw=rules.draw.output[0],
        trained=rules.setting.output.trained,
        pairs=rules.setting.output.pairs,
        vectors=vector_files,
        alignments=alignment_files,
        files=lambda w: list(system_files(w).values()),
        # Ancient: what counts is its syntax, in the parameter `code`.
        system=lambda w: ancient(os.path.relpath(source_of_system(w))),
    output:
        directory(f"{RESULTS}/models/{{setting}}/{{system}}/{{repetition}}"),
    log:
        f"{RESULTS}/logs/fit/{{setting}}/{{system}}/{{repetition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fit/{{setting}}/{{system}}/{{repetition}}.tsv"
    priority: lambda w: resources.of("fit", config, w).minutes
    conda:
        "../../envs/systems.yaml"
    threads: config["threads"]["fit"]
    resources:
        mem_mb=memory("fit"),
        runtime=minutes("fit"),
        gpu=lambda w: resources.gpus(config["systems"][w.system]),
    params:
        code=lambda w: [code("fit.py"), fingerprint(source_of_system(w))],
        made_with=fitted_with,
        processor=config["processor"],
        languages=lambda w: languages_of(w.setting),
        pairs=lambda w: SETTINGS[w.setting].pairs,
        content=lambda w: [
            *map(content, alignment_files(w)),
            *system_content(w),
        ],
        files=lambda w: list(system_files(w)),
        needs=lambda w: list(configuration.needs(config, w.system)),
        options=lambda w: config["systems"][w.system],
        validation=config["validation"],
        term_frequency=lambda w: configuration.term_frequency(config, w.system),
        seed=lambda w: seed_of(config["seed"], int(w.repetition)),
        corpus={key: config["corpus"][key] for key in ("name", "source")},
    script:
        "../scripts/fit.py"
