# Scores to the paper's tables and figures, and all of it to one page.

MEASURES = config["evaluation"]["measures"]
FIGURES = {"precision_at_k": MEASURES[0]} | {
    f"precision_at_k_{measure}": measure for measure in MEASURES[1:]
}
# Table 1 and the figures are of documents, or else of the first task.
MAIN = "documents" if "documents" in config["tasks"] else next(iter(config["tasks"]))
OTHER_TASKS = [task for task in config["tasks"] if task != MAIN]
HAS_TITLES = config["tasks"][MAIN].get("module", MAIN) == "documents"
FIRST = next(row for row in MATRIX if row.task == MAIN)


rule table1:
    input:
        scores=f"{RESULTS}/{{scope}}/scores.csv",
        left_out=f"{RESULTS}/{{scope}}/left_out.csv",
        origin=f"{RESULTS}/{{scope}}/scores.json",
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
        paper_table=paper.table_of(config, MAIN),
        languages=LANGUAGES,
    script:
        "../scripts/table1.py"


# Every other task has a table of the same layout under its own name.
use rule table1 as task_table with:
    input:
        scores=f"{RESULTS}/tables/scores.csv",
        left_out=f"{RESULTS}/tables/left_out.csv",
        origin=f"{RESULTS}/tables/scores.json",
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
        paper_table=lambda w: paper.table_of(config, w.task),
        languages=LANGUAGES,


rule table2:
    input:
        ranks=f"{RESULTS}/ranks/{FIRST.setting.name}/{FIRST.system}/1/{MAIN}",
        bags=expand(BAGS, language=FIRST.setting.languages),
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
        languages=FIRST.setting.languages,
        similarity=MEASURES[0],
        n_queries=config["evaluation"]["examples"],
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
        corpus=config["corpus"]["name"],
        show_published=not paper.unlike(config),
    script:
        "../scripts/figure.py"


rule report_items:
    input:
        expand(rules.table1.output, scope="tables"),
        expand(rules.task_table.output, task=OTHER_TASKS),
        rules.table2.output if HAS_TITLES else [],
        rules.corpus.output,
        expand(rules.figure.output, figure=FIGURES),
        rules.provenance.output,


# A first look: Cr5 beside what needs no model.
rule quick:
    input:
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
