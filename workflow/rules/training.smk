# Who trains, word vectors and alignments for those that start from them, and the fits.


# Queries and candidates are drawn once for all settings; a setting decides what trains.
rule draw:
    input:
        unpack(inputs_of(PLACES.draw)),
    output:
        draw=directory(PLACES.draw),
    log:
        f"{LOGS}/draws/{{repetition}}.log",
    conda:
        ENVIRONMENT
    resources:
        **share(0.1, 0.25),
    params:
        **made_by("draw", PLACES.draw),
    script:
        "../scripts/draw.py"


rule setting:
    input:
        unpack(inputs_of(PLACES.setting)),
    output:
        setting=directory(PLACES.setting),
    log:
        f"{LOGS}/settings/{{setting}}/{{repetition}}.log",
    priority: 500  # before ranks, so that the longest of all fits can start first
    conda:
        ENVIRONMENT
    resources:
        **share(0.1, 0.25),
    params:
        **made_by("setting", PLACES.setting),
    script:
        "../scripts/setting.py"


if isinstance(RUN.vectors, GivenVectors):

    rule given_vectors:
        input:
            unpack(inputs_of(PLACES.vectors)),
        output:
            vectors=directory(PLACES.vectors),
        log:
            f"{LOGS}/vectors/{{language}}/given.log",
        conda:
            ENVIRONMENT
        resources:
            **requested(2000, 10),  # 200,000 of 300 numbers are a quarter of a GB
        params:
            **made_by("given_vectors", PLACES.vectors),
        script:
            "../scripts/given_vectors.py"

else:

    # Trained on what a repetition leaves. The longest jobs start first, so that none is left running
    # alone at the end.
    rule vectors:
        input:
            unpack(inputs_of(PLACES.vectors)),
        output:
            vectors=directory(PLACES.vectors),
        log:
            f"{LOGS}/vectors/{{language}}/{{repetition}}.log",
        benchmark:
            f"{BENCHMARKS}/vectors/{{language}}/{{repetition}}.tsv"
        priority: 500
        conda:
            ENVIRONMENT
        threads: RUN.vectors.threads
        resources:
            **share(1, 8),
        params:
            **made_by("vectors", PLACES.vectors),
        script:
            "../scripts/vectors.py"


if isinstance(RUN.alignments, MadeAlignments):

    # Word translation tables that an aligner makes from parallel text: of files, or of the corpus's
    # own paragraphs. Of these only training documents count, which differ by setting and repetition.
    rule align:
        input:
            unpack(inputs_of(PLACES.alignments)),
        output:
            alignments=directory(PLACES.alignments),
        log:
            PLACES.alignments.replace(RESULTS, LOGS) + ".log",
        wildcard_constraints:
            first="|".join(LANGUAGES),
            second="|".join(LANGUAGES),
        conda:
            ENVIRONMENT
        threads: 2
        resources:
            **share(1, 8),
        params:
            **made_by("align", PLACES.alignments),
        script:
            "../scripts/align.py"


rule fit:
    input:
        unpack(inputs_of(PLACES.model)),
    output:
        model=directory(PLACES.model),
    log:
        f"{LOGS}/models/{{setting}}/{{system}}/{{repetition}}.log",
    benchmark:
        f"{BENCHMARKS}/fit/{{setting}}/{{system}}/{{repetition}}.tsv"
    priority: lambda w: resources.of_fit(RUN, w.system).minutes
    conda:
        ENVIRONMENT
    threads: RUN.threads.fit
    resources:
        mem_mb=lambda w, attempt: attempt * resources.of_fit(RUN, w.system).megabytes,
        runtime=lambda w, attempt: attempt * resources.of_fit(RUN, w.system).minutes,
    params:
        **made_by("fit", PLACES.model),
        system=lambda w: code(RUN.systems[w.system].source),
        task=lambda w: code_of_validation(w.system),
    script:
        "../scripts/fit.py"
