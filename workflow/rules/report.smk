# Scores to one page with all tables and figures, and a page to explore the results.
try:
    EXAMPLES = shown.examples(config, MAIN)
except UserError as error:
    raise WorkflowError(str(error))
SHOWN_THERE = [
    row.keys
    for row in MATRIX
    if (row.setting.name, row.task, row.repetition) == (EXPLORED, EXPLORED_TASK, 1)
]


def read_by_report(rows):
    """Return what the report of these rows reads, by name, and whose each file is."""
    tasks = dict.fromkeys(row.task for row in rows)
    tasks = [x for x in PLACES if rows == MATRIX or x in tasks]
    tables = [x for x in tasks if PLACES[x]]
    bundles = [
        (x, path) for x in tasks if x in config["tasks"] for path in aligned_of(x)
    ]
    fits = list(
        {(row.setting.name, row.system, row.repetition): row for row in rows}.values()
    )
    trained = {(row.setting.name, row.repetition): row.keys for row in rows}
    examples = [EXAMPLES] if EXAMPLES in rows and shown.has_titles(config) else []
    read = {
        "tables": [rules.task_tables.output[0].format(task=x) for x in tables],
        "aligned": [path for _, path in bundles],
        "ranks": ranks_of(examples),
        "bags": expand(BAGS, language=LANGUAGES),
        "documents": expand(DOCUMENTS, language=LANGUAGES),
        "trained": [rules.setting.output[0].format(**x) for x in trained.values()],
        "models": [rules.fit.output[0].format(**row.keys) for row in fits],
    }
    of = {
        "tables_of": tables,
        "aligned_of": [x for x, _ in bundles],
        "fits": [row.keys for row in fits],
        "trained": [*trained.values()],
        "tasks": list(dict.fromkeys(row.task for row in rows)),
    }
    return read, shown.facts(config) | of


WHOLE, QUICK = read_by_report(MATRIX), read_by_report(FIRST_LOOK)
MORE["report"] = {"facts": WHOLE[1], "explored": bool(EXPLORED)}
MORE["quick"] = {"facts": QUICK[1], "explored": False}


def page_of_report(wildcards):
    """Return the template of the page."""
    return WORKFLOW / "cr5" / "report" / "page.html"


rule report:
    input:
        **WHOLE[0],
        scores=rules.scores.output[0],
        seen=SEEN,
    output:
        directory(f"{RESULTS}/report"),
        page=f"{RESULTS}/report.html",
        run=f"{RESULTS}/run.json",
        config=f"{RESULTS}/config.yaml",
    log:
        f"{RESULTS}/logs/report.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("report"),
    params:
        **told("report", "report.py", page_of_report),
    script:
        "../scripts/report.py"


# A first look: the same of what takes little.
use rule report as quick with:
    input:
        **QUICK[0],
        scores=rules.quick_scores.output[0],
        seen=[],
    output:
        directory(f"{RESULTS}/quick/report"),
        page=f"{RESULTS}/quick/report.html",
        run=f"{RESULTS}/quick/run.json",
        config=f"{RESULTS}/quick/config.yaml",
    log:
        f"{RESULTS}/logs/quick/report.log",
    params:
        **told("quick", "report.py", page_of_report),


MORE["explore"] = {"setting": EXPLORED}


# Documents in the first repetition, in the joint setting or the only one.
rule explore:
    input:
        ranks=[rules.rank.output[0].format(**keys) for keys in SHOWN_THERE],
        documents=expand(DOCUMENTS, language=LANGUAGES),
        scores=rules.scores.output[0],
        report=rules.report.output[0],
    output:
        directory(f"{RESULTS}/explore"),
    log:
        f"{RESULTS}/logs/explore.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("explore"),
    params:
        **told(
            "explore", "explore.py", lambda w: WORKFLOW / "cr5" / "explore" / "static"
        ),
    script:
        "../scripts/explore.py"
