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


WHOLE, QUICK = read_by_report(MATRIX), read_by_report(FIRST_LOOK)
MORE["report"] = {"facts": WHOLE[1], "explored": bool(EXPLORED)}
MORE["quick"] = {"facts": QUICK[1], "explored": False}


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
    resources:
        **requested("report"),
    params:
        **told(
            "report", "report.py", lambda w: WORKFLOW / "cr5" / "report" / "page.html"
        ),
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
        **told(
            "quick", "report.py", lambda w: WORKFLOW / "cr5" / "report" / "page.html"
        ),


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
    resources:
        **requested("explore"),
    params:
        **told(
            "explore", "explore.py", lambda w: WORKFLOW / "cr5" / "explore" / "static"
        ),
    script:
        "../scripts/explore.py"
