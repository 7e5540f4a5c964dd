# All tables and figures to one page, and a page to explore the results.
# Not from the modules that read them: these take a second to import.
STATIC = WORKFLOW / "cr5" / "explore" / "static"
PAGE = WORKFLOW / "cr5" / "report" / "page.html"

SHOWN_THERE = [
    row.keys
    for row in MATRIX
    if (row.setting.name, row.task, row.repetition) == (EXPLORED, EXPLORED_TASK, 1)
]


# Documents in the first repetition, in the joint setting or the only one.
rule explore:
    input:
        models=[rules.fit.output[0].format(**keys) for keys in SHOWN_THERE],
        ranks=[rules.rank.output[0].format(**keys) for keys in SHOWN_THERE],
        bags=expand(BAGS, language=LANGUAGES),
        documents=expand(DOCUMENTS, language=LANGUAGES),
        draw=rules.draw.output[0].format(repetition=1),
        means=f"{RESULTS}/tables/means.csv",
        config=rules.tables.output.config,
        run=rules.tables.output.run,
        page=[ancient(os.path.relpath(path)) for path in sorted(STATIC.iterdir())],
    output:
        directory(f"{RESULTS}/explore"),
    log:
        f"{RESULTS}/logs/explore.log",
    conda:
        "../../envs/environment.yaml"
    threads: config["threads"]["rank"]
    resources:
        **requested("explore"),
    params:
        code=lambda w: code("explore.py"),
        page=[content(path) for path in sorted(STATIC.iterdir())],
        setting=EXPLORED,
        modules=sorted({own_module(keys["system"]) for keys in SHOWN_THERE} - {None}),
    script:
        "../scripts/explore.py"


rule report_items:
    input:
        rules.tables.output,
        rules.figures.output,


# A first look: what takes little.
rule quick:
    input:
        rules.quick_tables.output,
        made_of(FIRST_LOOK),


rule report_page:
    input:
        shown=rules.report_items.input,
        left_out=f"{RESULTS}/tables/left_out.csv",
        run=rules.tables.output.run,
        explore=rules.explore.output if EXPLORED else [],
        seen=SEEN,
        page=ancient(os.path.relpath(PAGE)),
    output:
        f"{RESULTS}/report.html",
    log:
        f"{RESULTS}/logs/report_page.log",
    localrule: True
    conda:
        "../../envs/environment.yaml"
    params:
        code=lambda w: code("report_page.py"),
        page=content(os.path.relpath(PAGE)),
        shown=[(x.stem, x.kind, x.of) for x in [*TABLES_SHOWN, *FIGURES]],
        task=MAIN,
        similarity=MEASURES[0],
    script:
        "../scripts/report_page.py"
