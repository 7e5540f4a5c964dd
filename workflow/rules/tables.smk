# Scores to the paper's tables.
from cr5.plan import reproduction
from cr5.report.reproduction import DATA as PUBLISHED

MEASURES = config["evaluation"]["measures"]
OTHER_TASKS = [task for task in config["tasks"] if task != MAIN]
HAS_TITLES = config["tasks"][MAIN].get("module", MAIN) == "documents"
try:
    SHOWN = examples.shown(config, MAIN)
except UserError as error:
    raise WorkflowError(str(error))
SHOWN_LANGUAGES = sorted({x for row in SHOWN for x in row.setting.languages})
NAMED = config["evaluation"]["examples"]["named"]
# Tasks of the tables of Platt et al. (2010).
BY_ACCURACY = {
    task: module
    for task, options in config["tasks"].items()
    if (module := options.get("module", task)) in ("documents", "classification")
}


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
        code=lambda w: code("table1.py"),
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
        code=lambda w: code("table1.py"),
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
    wildcard_constraints:
        task="|".join(map(re.escape, PLACES)),
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("dictionary_table.py"),
        corpus=config["corpus"]["name"],
        task=lambda w: "training" if w.task == pair_files.SECTION else w.task,
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
        code=lambda w: code("examples.py"),
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
        code=lambda w: code("systems.py"),
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
        code=lambda w: code("reproduction.py"),
        published=[content(os.path.relpath(path)) for path in PUBLISHED],
        corpus=config["corpus"]["name"],
        fits=reproduction.fits(config),
        absent=reproduction.absent(),
    script:
        "../scripts/reproduction.py"


# As Platt et al. (2010) show what a run has found.
rule by_accuracy:
    input:
        scores=f"{RESULTS}/tables/scores.csv",
        means=f"{RESULTS}/tables/means.csv",
        significance=f"{RESULTS}/tables/significance.csv",
        left_out=f"{RESULTS}/tables/left_out.csv",
        dimensions=f"{RESULTS}/tables/dimensions.csv",
        reproduction=f"{RESULTS}/tables/reproduction.csv",
        origins=multiext(
            f"{RESULTS}/tables/", "scores.json", "significance.json", "dimensions.json"
        ),
    output:
        table("tables/by_accuracy/{task}"),
        html=page_item(
            "tables/by_accuracy/{task}.html",
            "by_accuracy",
            "Results",
            lambda w: f"By accuracy: {w.task}",
        ),
    log:
        f"{RESULTS}/logs/tables/by_accuracy/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tables/by_accuracy/{{task}}.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("by_accuracy.py"),
        corpus=config["corpus"]["name"],
        task=lambda w: w.task,
        classes=lambda w: BY_ACCURACY[w.task] == "classification",
    script:
        "../scripts/by_accuracy.py"


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
    resources:
        mem_mb=memory("setting"),
        runtime=minutes("setting"),
    params:
        code=lambda w: code("table2.py"),
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
    resources:
        mem_mb=memory("setting"),
        runtime=minutes("setting"),
    params:
        code=lambda w: code("corpus.py"),
        corpus=config["corpus"]["name"],
        unique_words=config["bags"]["unique_words"],
    script:
        "../scripts/corpus.py"
