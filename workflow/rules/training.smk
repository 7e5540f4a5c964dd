# Who trains, word vectors, alignments and channels for those that start from them, and the fits.
from itertools import combinations, permutations

from cr5.fitting.options import DOCUMENTS as DRAWN
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.words import ALIGNMENTS_SECTION


# Queries and candidates are drawn once for all settings; a setting decides what trains.
rule draw:
    input:
        bags=expand(BAGS, language=sorted(LANGUAGES)),
        given=files.split(config),
    output:
        directory(f"{RESULTS}/draws/{{repetition}}"),
    log:
        f"{RESULTS}/logs/draws/{{repetition}}.log",
    resources:
        **share(0.1, 0.25),
    params:
        **rerun_params("draw.py", MADE_WITH.draw),
    script:
        "../scripts/draw.py"


rule setting:
    input:
        bags=of_languages(BAGS),
        draw=rules.draw.output[0],
    output:
        directory(f"{RESULTS}/settings/{{setting}}/{{repetition}}"),
    log:
        f"{RESULTS}/logs/settings/{{setting}}/{{repetition}}.log",
    resources:
        **share(0.1, 0.25),
    params:
        **rerun_params("setting.py", MADE_WITH.setting),
    script:
        "../scripts/setting.py"


if VECTORS_ARE_GIVEN:

    rule given_vectors:
        input:
            lambda w: on_this_machine(files.vectors(config, w.language)),
        output:
            directory(VECTORS),
        log:
            f"{RESULTS}/logs/vectors/{{language}}/given.log",
        resources:
            **fixed(2000, 10),  # 200,000 of 300 numbers are a quarter of a GB
        params:
            **rerun_params("given_vectors.py", MADE_WITH.given_vectors),
        script:
            "../scripts/given_vectors.py"

else:

    # Trained on what a repetition leaves. The longest jobs start first, so that none is left running
    # alone at the end.
    rule vectors:
        input:
            documents=DOCUMENTS,
            draw=rules.draw.output[0],
            channel=lambda w: MADE_WITH.channel_of_vectors(w.language),
            stop_words=lambda w: files.stop_words(config, [w.language]),
        output:
            directory(VECTORS),
        log:
            f"{RESULTS}/logs/vectors/{{language}}/{{repetition}}.log",
        benchmark:
            f"{RESULTS}/benchmarks/vectors/{{language}}/{{repetition}}.tsv"
        priority: 100
        threads: config["vectors"]["threads"]
        resources:
            **share(1, 8),
        params:
            **rerun_params("vectors.py", MADE_WITH.vectors),
        script:
            "../scripts/vectors.py"


# Word translation tables that an aligner makes from parallel text: of files, or of the corpus's own
# paragraphs. Of these only training documents count, which differ by setting and repetition.
ARE_ALIGNED = files.is_made(config)
ALIGNED_FILES = BUNDLES.get(ALIGNMENTS_SECTION, {})
ALIGNMENTS = f"{RESULTS}/alignments/" + (
    "{first}-{second}" if ALIGNED_FILES else "{setting}/{repetition}/{first}-{second}"
)

if ARE_ALIGNED:
    try:
        if not ALIGNED_FILES:
            files.bundles_of(config, ALIGNMENTS_SECTION, PARAGRAPHS)
        for row in MATRIX if ALIGNED_FILES else []:
            if "alignments" in configuration.needs(config, row.system):
                for pair in combinations(row.setting.languages, 2):
                    files.bundle_of(ALIGNED_FILES, pair)
    except UserError as error:
        raise WorkflowError(str(error))


rule align:
    input:
        sentences=sentences_to_align,
        trained=[] if ALIGNED_FILES else rules.setting.output[0],
        stop_words=files.stop_words(config),
    output:
        directory(ALIGNMENTS),
    log:
        ALIGNMENTS.replace(RESULTS, f"{RESULTS}/logs") + ".log",
    wildcard_constraints:
        first="|".join(LANGUAGES),
        second="|".join(LANGUAGES),
    threads: 2
    resources:
        **share(1, 8),
    params:
        **rerun_params("align.py", MADE_WITH.align),
    script:
        "../scripts/align.py"


# Text of one language alone.
rule channel:
    input:
        unpack(lambda w: files.channel(config, w.language)),
        bags=BAGS,
        stop_words=lambda w: files.stop_words(config, [w.language]),
    output:
        directory(f"{RESULTS}/channels/{{language}}"),
    log:
        f"{RESULTS}/logs/channels/{{language}}.log",
    resources:
        **share(0.25, 0.5),
    params:
        **rerun_params(
            "task_data.py", MADE_WITH.channel, lambda w: TASKS.source("ad_hoc", {})
        ),
    script:
        "../scripts/task_data.py"


rule fit:
    input:
        bags=of_languages(BAGS),
        draw=rules.draw.output[0],
        trained=rules.setting.output[0],
        vectors=of_languages(VECTORS, needs("vectors")),
        seeds=seed_tables,
        texts=of_languages(DOCUMENTS, needs("texts")),
        data=validation_data,
        tables=validation_tables,
        alignments=alignment_files,
        channels=channels_of,
        judgements=judgements_of_channels,
        files=system_files,
        stop_words=lambda w: files.stop_words(config, languages_of(w.setting)),
    output:
        directory(f"{RESULTS}/models/{{setting}}/{{system}}/{{repetition}}"),
    log:
        f"{RESULTS}/logs/fit/{{setting}}/{{system}}/{{repetition}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/fit/{{setting}}/{{system}}/{{repetition}}.tsv"
    priority: lambda w: resources.of_fit(config, w.system)[1]
    threads: config["threads"]["fit"]
    resources:
        **requested(lambda w: resources.of_fit(config, w.system)),
    params:
        **rerun_params("fit.py", MADE_WITH.fit, source_of_system, validation_source),
    script:
        "../scripts/fit.py"
