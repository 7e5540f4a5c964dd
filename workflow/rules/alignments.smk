# Word translation tables that an aligner makes from parallel text.
from itertools import combinations

ALIGNED_FILES = BUNDLES.get(TABLES, {})

if is_made(config):
    try:
        if not ALIGNED_FILES:
            bundles_of(config, TABLES, PARAGRAPHS)
        for row in MATRIX:
            if ALIGNED_FILES and "alignments" in configuration.needs(
                config, row.system
            ):
                for pair in combinations(row.setting.languages, 2):
                    bundle_with(ALIGNED_FILES, pair)
    except UserError as error:
        raise WorkflowError(str(error))


rule align:
    input:
        sentences=sentences_to_align,
        trained=[] if ALIGNED_FILES else rules.setting.output[0],
    output:
        directory(ALIGNMENTS),
    log:
        ALIGNMENTS.replace(RESULTS, f"{RESULTS}/logs") + ".log",
    wildcard_constraints:
        first="|".join(LANGUAGES),
        second="|".join(LANGUAGES),
    conda:
        "../../envs/environment.yaml"
    threads: 2
    resources:
        **requested("align"),
    params:
        code=lambda w: code("align.py"),
        tokens=TOKENS,
        stop_words=lambda w: [content(path) for path in files.stop_words(config)],
        options=config.get(TABLES),
        seed=lambda w: (
            config["seed"]
            if ALIGNED_FILES
            else seed_of(config["seed"], int(w.repetition))
        ),
    script:
        "../scripts/align.py"
