# Word vectors for the systems that start from them, and the fits.


if VECTORS_ARE_GIVEN:

    rule given_vectors:
        input:
            lambda w: given_vectors(w.language),
        output:
            directory(VECTORS),
        log:
            f"{RESULTS}/logs/vectors/{{language}}/given.log",
        conda:
            "../../envs/environment.yaml"
        resources:
            **requested("vectors"),
        params:
            code=lambda w: code("given_vectors.py"),
            most_frequent=config["vectors"]["most_frequent"],
            content=lambda w: MADE_WITH.content_of([files.vectors(config, w.language)]),
        script:
            "../scripts/given_vectors.py"

else:

    include: "vectors.smk"


rule fit:
    input:
        bags=of_languages(BAGS),
        draw=rules.draw.output[0],
        trained=rules.setting.output[0],
        vectors=vector_files,
        seeds=seed_tables,
        texts=texts_of_documents,
        data=validation_data,
        tables=validation_tables,
        alignments=alignment_files,
        channels=channels_of,
        judgements=judgements_of_channels,
        files=system_files,
    output:
        directory(f"{RESULTS}/models/{{setting}}/{{system}}/{{repetition}}"),
    log:
        f"{RESULTS}/logs/fit/{{setting}}/{{system}}/{{repetition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fit/{{setting}}/{{system}}/{{repetition}}.tsv"
    priority: lambda w: resources.of("fit", config, w).minutes
    conda:
        "../../envs/environment.yaml"
    threads: config["threads"]["fit"]
    resources:
        **requested("fit"),
    params:
        code=lambda w: [
            code("fit.py"),
            fingerprint(source_of_system(w)),
            *([fingerprint(source)] if (source := validation_source(w)) else []),
        ],
        made_with=fitted_with,
        alignments_are_made=is_made(config),
        corpus={key: config["corpus"][key] for key in ("name", "source")},
    script:
        "../scripts/fit.py"
