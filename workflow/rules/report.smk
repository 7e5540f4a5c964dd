# Scores to one page with all tables and figures, and a page to explore the results.
EXAMPLES = shown.examples(RUN)
SHOWN_THERE = [
    row.keys
    for row in MATRIX
    if (row.setting.name, row.task, row.repetition) == (EXPLORED, EXPLORED_TASK, 1)
]


rule report:
    input:
        unpack(lambda w: read_by_report(MADE_WITH.rows(w.look))),
        scores=rules.scores.output[0],
        seen=SEEN,
    output:
        directory(f"{RESULTS}/{{look}}report"),
        page=f"{RESULTS}/{{look}}report.html",
        run=f"{RESULTS}/{{look}}run.json",
        config=f"{RESULTS}/{{look}}config.yaml",
    resources:
        **share(0.25, 0.5),
    params:
        explored=lambda w: bool(EXPLORED and not w.look),
        page=lambda w: code(WORKFLOW / "cr5" / "report" / "page.html"),
    script:
        "../scripts/report.py"


rule quick:
    input:
        f"{RESULTS}/quick/report.html",
        made_of(MADE_WITH.rows("quick/")),


# Documents in the first repetition, in the joint setting or the only one.
rule explore:
    input:
        ranks=[rules.rank.output[0].format(**keys) for keys in SHOWN_THERE],
        documents=expand(DOCUMENTS, language=LANGUAGES),
        scores=f"{RESULTS}/tables",
        report=f"{RESULTS}/report",
    output:
        directory(f"{RESULTS}/explore"),
    resources:
        **share(0.5, 1),
    params:
        setting=EXPLORED,
        page=lambda w: code(WORKFLOW / "cr5" / "explore" / "static"),
    script:
        "../scripts/explore.py"
