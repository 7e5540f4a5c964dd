# Scores to tables and figures: all of a run's tables in one job, which also records what made the
# run; all figures in another.


rule tables:
    input:
        expand(rules.scores.output, scope="tables"),
        scores=f"{RESULTS}/tables/scores.csv",
        tables=[path for _, path in files_of_tasks(PLACES)[0]],
        aligned=[path for _, path in files_of_tasks(config["tasks"])[1]],
        ranks=[rules.rank.output[0].format(**x.keys) for x in [SHOWN] if HAS_TITLES],
        bags=expand(BAGS, language=LANGUAGES),
        documents=expand(NOTES, language=LANGUAGES),
        draws=expand(rules.draw.output[0], repetition=REPETITIONS),
        pairs=expand(
            rules.setting.output.pairs, setting=list(SETTINGS), repetition=REPETITIONS
        ),
        models=[rules.fit.output[0].format(**row.keys) for row in FITS],
    output:
        written(TABLES_SHOWN, TABLE),
        [
            f"{RESULTS}/tables/{name}.{ending}"
            for name in ("validation", "dimensions")
            for ending in ("csv", "json")
        ],
        run=f"{RESULTS}/run.json",
        config=f"{RESULTS}/config.yaml",
    log:
        f"{RESULTS}/logs/tables.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("tables"),
    params:
        code=lambda w: code("tables.py"),
        config=config,
        configuration=lambda w: configuration_of_run(),
        results=lambda w: RESULTS,
        tables=[(x.stem, x.kind, x.of) for x in TABLES_SHOWN],
        frames=["validation", "dimensions"],
        recorded=True,
        of=owners([*PLACES])
        | {"names": [row.keys for row in FITS], "systems": shown.systems(config)},
    script:
        "../scripts/tables.py"


# The tables of a first look, by the same script.
use rule tables as quick_tables with:
    input:
        expand(rules.scores.output, scope="quick"),
        scores=f"{RESULTS}/quick/scores.csv",
        tables=[path for _, path in files_of_tasks([MAIN])[0]],
        aligned=[path for _, path in files_of_tasks([MAIN])[1]],
    output:
        written(shown.first_tables(config, "quick"), TABLE),
    log:
        f"{RESULTS}/logs/quick/tables.log",
    params:
        code=lambda w: code("tables.py"),
        config=config,
        configuration=lambda w: configuration_of_run(),
        results=lambda w: RESULTS,
        tables=[(x.stem, x.kind, x.of) for x in shown.first_tables(config, "quick")],
        frames=[],
        recorded=False,
        of=owners([MAIN]) | {"systems": shown.systems(config)},


rule figures:
    input:
        expand(rules.scores.output, scope="tables"),
        scores=f"{RESULTS}/tables/scores.csv",
        bags=expand(BAGS, language=LANGUAGES),
        draws=rules.tables.input.draws,
        pairs=rules.tables.input.pairs,
        trained=list(TRAINED),
        models=rules.tables.input.models,
    output:
        written(FIGURES, FIGURE),
        [
            f"{RESULTS}/{x.stem}.csv"
            for x in FIGURES
            if x.kind in ("overlap", "add_data")
        ],
    log:
        f"{RESULTS}/logs/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("figures"),
    params:
        code=lambda w: code("figures.py"),
        config=config,
        configuration=lambda w: configuration_of_run(),
        results=lambda w: RESULTS,
        figures=[(x.stem, x.kind, x.of) for x in FIGURES],
        of={
            "names": [row.keys for row in FITS],
            "systems": shown.systems(config),
            "trained": list(TRAINED.values()),
        },
    script:
        "../scripts/figures.py"
