# Scores to the paper's tables and figures, and all of it to one page.
from cr5.plan import reproduction
from cr5.report.reproduction import DATA as PUBLISHED

MEASURES = config["evaluation"]["measures"]
FIGURES = {"precision_at_k": MEASURES[0]} | {
    f"precision_at_k_{measure}": measure for measure in MEASURES[1:]
}
# Table 1 and the figures are of documents, or else of the first task.
MAIN = "documents" if "documents" in config["tasks"] else next(iter(config["tasks"]))
OTHER_TASKS = [task for task in config["tasks"] if task != MAIN]
HAS_TITLES = config["tasks"][MAIN].get("module", MAIN) == "documents"
try:
    SHOWN = examples.shown(config, MAIN)
except UserError as error:
    raise WorkflowError(str(error))
SHOWN_LANGUAGES = sorted({x for row in SHOWN for x in row.setting.languages})
NAMED = config["evaluation"]["examples"]["named"]
# Curves over the number of training concepts, and settings that stand there alone.
ADD_DATA = [asdict(point) for point in curves.add_data(config)]
CROWDING = curves.drawn_there(config)


rule table1:
    input:
        scores=f"{RESULTS}/{{scope}}/scores.csv",
        left_out=f"{RESULTS}/{{scope}}/left_out.csv",
        tables=expand(rules.task_tables.output[0], task=filter(PLACES.get, [MAIN])),
        significance=f"{RESULTS}/{{scope}}/significance.csv",
        origins=multiext(f"{RESULTS}/{{scope}}/", "scores.json", "significance.json"),
        aligned=aligned_of(MAIN),
    output:
        table("{scope}/table1"),
        html=page_item("{scope}/table1.html", "table1", "Results", "Table 1: retrieval"),
    log:
        f"{RESULTS}/logs/{{scope}}/table1.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{scope}}/table1.tsv"
    wildcard_constraints:
        scope="tables|quick",
    conda:
        "../../envs/report.yaml"
    params:
        code=code("table1.py"),
        corpus=config["corpus"]["name"],
        task=MAIN,
        unlike=paper.unlike(config, MAIN),
        printed=paper.table(config, MAIN),
        languages=LANGUAGES,
    script:
        "../scripts/table1.py"


# Every other task has a table of the same layout under its own name.
use rule table1 as task_table with:
    input:
        scores=f"{RESULTS}/tables/scores.csv",
        left_out=f"{RESULTS}/tables/left_out.csv",
        tables=task_tables,
        significance=f"{RESULTS}/tables/significance.csv",
        origins=multiext(f"{RESULTS}/tables/", "scores.json", "significance.json"),
        aligned=lambda w: aligned_of(w.task),
    output:
        table("tables/tasks/{task}"),
        html=page_item("tables/tasks/{task}.html", "task", "Results", lambda w: w.task),
    log:
        f"{RESULTS}/logs/tables/tasks/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tables/tasks/{{task}}.tsv"
    params:
        code=code("table1.py"),
        corpus=config["corpus"]["name"],
        task=lambda w: w.task,
        unlike=lambda w: paper.unlike(config, w.task),
        printed=lambda w: paper.table(config, w.task),
        languages=LANGUAGES,


rule dictionary_table:
    input:
        tables=rules.task_tables.output[0],
        origin=f"{RESULTS}/tables/scores.json",
    output:
        table("tables/dictionaries/{task}"),
        html=page_item(
            "tables/dictionaries/{task}.html",
            "dictionaries",
            "Corpus",
            lambda w: f"Dictionaries of {w.task}",
        ),
    log:
        f"{RESULTS}/logs/tables/dictionaries/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tables/dictionaries/{{task}}.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=code("dictionary_table.py"),
        corpus=config["corpus"]["name"],
        task=lambda w: w.task,
    script:
        "../scripts/dictionary_table.py"


# Before the fits, for a query that nobody has asked is better known early.
rule examples:
    input:
        draw=rules.draw.output[0].format(repetition=1),
        bags=expand(BAGS, language=SHOWN_LANGUAGES),
    output:
        f"{RESULTS}/examples.json",
    log:
        f"{RESULTS}/logs/examples.log",
    benchmark:
        f"{RESULTS}/benchmarks/examples.tsv"
    priority: 1
    conda:
        "../../envs/report.yaml"
    params:
        code=code("examples.py"),
        named=NAMED,
        languages=SHOWN_LANGUAGES,
        pairs=sorted({pair for row in SHOWN for pair in row.setting.pairs}),
    script:
        "../scripts/examples.py"


# What a run has found, at a glance.
rule systems:
    input:
        means=f"{RESULTS}/{{scope}}/means.csv",
        significance=f"{RESULTS}/{{scope}}/significance.csv",
        left_out=f"{RESULTS}/{{scope}}/left_out.csv",
        origin=f"{RESULTS}/{{scope}}/significance.json",
    output:
        table("{scope}/systems"),
        html=page_item("{scope}/systems.html", "systems", "Results", "Systems: means"),
    log:
        f"{RESULTS}/logs/{{scope}}/systems.log",
    benchmark:
        f"{RESULTS}/benchmarks/{{scope}}/systems.tsv"
    wildcard_constraints:
        scope="tables|quick",
    conda:
        "../../envs/report.yaml"
    params:
        code=code("systems.py"),
        corpus=config["corpus"]["name"],
    script:
        "../scripts/systems.py"


rule reproduction:
    input:
        scores=f"{RESULTS}/tables/scores.csv",
        pairs=f"{RESULTS}/tables/pairs.csv",
        left_out=f"{RESULTS}/tables/left_out.csv",
        origins=multiext(f"{RESULTS}/tables/", "scores.json", "pairs.json"),
    output:
        table("tables/reproduction"),
        html=page_item(
            "tables/reproduction.html",
            "reproduction",
            "Results",
            "Reproduction: the paper's figures",
        ),
    log:
        f"{RESULTS}/logs/reproduction.log",
    benchmark:
        f"{RESULTS}/benchmarks/reproduction.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=code("reproduction.py"),
        published=[content(os.path.relpath(path)) for path in PUBLISHED],
        corpus=config["corpus"]["name"],
        fits=reproduction.fits(config),
        absent=reproduction.absent(),
    script:
        "../scripts/reproduction.py"


rule table2:
    input:
        ranks=[rules.rank.output[0].format(**row.keys) for row in SHOWN],
        bags=expand(BAGS, language=SHOWN_LANGUAGES),
        named=rules.examples.output if NAMED else [],
    output:
        table("tables/table2"),
        html=page_item("tables/table2.html", "table2", "Results", "Table 2: examples"),
    log:
        f"{RESULTS}/logs/table2.log",
    benchmark:
        f"{RESULTS}/benchmarks/table2.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=code("table2.py"),
        corpus=config["corpus"]["name"],
        languages=SHOWN_LANGUAGES,
        similarity=MEASURES[0],
        n_queries=config["evaluation"]["examples"]["queries"],
        seed=config["seed"],
    script:
        "../scripts/table2.py"


rule corpus:
    input:
        bags=expand(BAGS, language=LANGUAGES),
        documents=expand(NOTES, language=LANGUAGES),
        draws=expand(
            rules.draw.output[0], repetition=range(1, config["repetitions"] + 1)
        ),
        pairs=expand(
            rules.setting.output.pairs,
            setting=list(SETTINGS),
            repetition=range(1, config["repetitions"] + 1),
        ),
    output:
        table("tables/languages"),
        table("tables/pairs"),
        languages=page_item("tables/languages.html", "languages", "Corpus", "Languages"),
        pairs=page_item("tables/pairs.html", "pairs", "Corpus", "Pairs"),
    log:
        f"{RESULTS}/logs/corpus.log",
    benchmark:
        f"{RESULTS}/benchmarks/corpus.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=code("corpus.py"),
        corpus=config["corpus"]["name"],
        unique_words=config["bags"]["unique_words"],
    script:
        "../scripts/corpus.py"


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
        code=code("figure.py"),
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
        code=code("validation.py"),
        names=[row.keys for row in FITS],
        corpus=config["corpus"]["name"],
    script:
        "../scripts/validation.py"


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
        code=code("add_data.py"),
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
        code=code("overlap.py"),
        corpus=config["corpus"]["name"],
        languages=sorted(LANGUAGES),
        names=list(TRAINED.values()),
    script:
        "../scripts/overlap.py"


rule report_items:
    input:
        expand(rules.systems.output, scope="tables"),
        expand(rules.table1.output, scope="tables"),
        expand(rules.task_table.output, task=OTHER_TASKS),
        expand(rules.dictionary_table.output, task=[*filter(PLACES.get, PLACES)]),
        rules.reproduction.output,
        rules.table2.output if HAS_TITLES else [],
        rules.corpus.output,
        expand(rules.figure.output, figure=FIGURES),
        rules.validation.output,
        rules.overlap.output,
        rules.add_data.output if ADD_DATA else [],
        rules.provenance.output,


# A first look: Cr5 beside what needs no model.
rule quick:
    input:
        expand(rules.systems.output, scope="quick"),
        expand(rules.table1.output, scope="quick"),
        made_of(quick(MATRIX)),


# Snakemake writes the page itself, from what it knows of the finished jobs.
rule report_page:
    input:
        rules.report_items.input,
        config=rules.provenance.output.config,
        run=rules.provenance.output.run,
        front=os.path.relpath(WORKFLOW / "report" / "workflow.rst"),
        captions=sorted(
            os.path.relpath(path) for path in (WORKFLOW / "report").glob("*")
        ),
    output:
        f"{RESULTS}/report.html",
    log:
        f"{RESULTS}/logs/report_page.log",
    benchmark:
        f"{RESULTS}/benchmarks/report_page.tsv"
    localrule: True
    conda:
        "../../envs/snakemake.yaml"
    params:
        code=code("report_page.py"),
        target="report_items",
        snakefile=os.path.relpath(WORKFLOW / "Snakefile"),
    script:
        "../scripts/report_page.py"
