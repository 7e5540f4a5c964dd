# Scores and models to figures.
FIGURES = {"precision_at_k": MEASURES[0]} | {
    f"precision_at_k_{measure}": measure for measure in MEASURES[1:]
}
# Curves over the number of training concepts, and settings that stand there alone.
ADD_DATA = [asdict(point) for point in curves.add_data(config)]
CROWDING = curves.drawn_there(config)


rule figure:
    input:
        curves=f"{RESULTS}/tables/curves.csv",
        origin=f"{RESULTS}/tables/scores.json",
    output:
        multiext(f"{RESULTS}/figures/{{figure}}", ".pdf", ".png", ".json"),
        svg=page_item(
            "figures/{figure}.svg",
            "precision_at_k",
            "Results",
            lambda w: f"Figure 2: precision at k, {FIGURES[w.figure]}",
        ),
    log:
        f"{RESULTS}/logs/{{figure}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{figure}}.tsv"
    wildcard_constraints:
        figure="|".join(FIGURES),
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("figure.py"),
        similarity=lambda w: FIGURES[w.figure],
        task=MAIN,
        without=CROWDING,
        corpus=config["corpus"]["name"],
        show_published=not paper.unlike(config),
    script:
        "../scripts/figure.py"


FITS = [row for row in MATRIX if row.task == row.setting.tasks[0]]


rule validation:
    input:
        models=[rules.fit.output[0].format(**row.keys) for row in FITS],
    output:
        multiext(f"{RESULTS}/figures/validation", ".pdf", ".png", ".json"),
        table=f"{RESULTS}/tables/validation.csv",
        origin=f"{RESULTS}/tables/validation.json",
        dimensions=f"{RESULTS}/tables/dimensions.csv",
        of_dimensions=f"{RESULTS}/tables/dimensions.json",
        svg=page_item(
            "figures/validation.svg", "validation", "Results", "Hyperparameters"
        ),
    log:
        f"{RESULTS}/logs/validation.log",
    benchmark:
        f"{RESULTS}/benchmarks/validation.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("validation.py"),
        names=[row.keys for row in FITS],
        corpus=config["corpus"]["name"],
    script:
        "../scripts/validation.py"


# As Figures 3 and 4 of Platt et al. (2010), where a system chooses among dimensions.
rule dimensions:
    input:
        table=rules.validation.output.table,
        origin=rules.validation.output.origin,
    output:
        multiext(f"{RESULTS}/figures/dimensions", ".pdf", ".png", ".json"),
        svg=page_item(
            "figures/dimensions.svg", "dimensions", "Results", "Dimensions: validation"
        ),
    log:
        f"{RESULTS}/logs/dimensions.log",
    benchmark:
        f"{RESULTS}/benchmarks/dimensions.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("dimensions.py"),
        corpus=config["corpus"]["name"],
    script:
        "../scripts/dimensions.py"


rule add_data:
    input:
        scores=f"{RESULTS}/tables/scores.csv",
        pairs=f"{RESULTS}/tables/pairs.csv",
        origin=f"{RESULTS}/tables/scores.json",
    output:
        multiext(f"{RESULTS}/figures/add_data", ".pdf", ".png", ".json", ".csv"),
        svg=page_item(
            "figures/add_data.svg", "add_data", "Results", "More training data"
        ),
    log:
        f"{RESULTS}/logs/add_data.log",
    benchmark:
        f"{RESULTS}/benchmarks/add_data.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("add_data.py"),
        points=ADD_DATA,
        similarity=MEASURES[0],
        task=MAIN,
        corpus=config["corpus"]["name"],
    script:
        "../scripts/add_data.py"


TRAINED = {
    rules.setting.output.trained.format(setting=name, repetition=repetition): {
        "setting": name,
        "series": setting.series,
        "kind": setting.kind,
        "repetition": repetition,
    }
    for name, setting in SETTINGS.items()
    for repetition in range(1, config["repetitions"] + 1)
}


rule overlap:
    input:
        bags=expand(BAGS, language=sorted(LANGUAGES)),
        draws=rules.corpus.input.draws,
        trained=list(TRAINED),
    output:
        multiext(f"{RESULTS}/figures/overlap", ".pdf", ".png", ".json", ".csv"),
        svg=page_item(
            "figures/overlap.svg",
            "overlap",
            "Corpus",
            "Figure 1: overlap of languages",
        ),
    log:
        f"{RESULTS}/logs/overlap.log",
    benchmark:
        f"{RESULTS}/benchmarks/overlap.tsv"
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=memory("overlap"),
        runtime=minutes("overlap"),
    params:
        code=lambda w: code("overlap.py"),
        corpus=config["corpus"]["name"],
        languages=sorted(LANGUAGES),
        names=list(TRAINED.values()),
    script:
        "../scripts/overlap.py"
