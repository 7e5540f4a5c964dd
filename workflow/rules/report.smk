# Scores to one page with all tables and figures, and a page to explore the results.


rule report:
    input:
        unpack(inputs_of(PLACES.report)),
    output:
        directory(PLACES.report),
        page=f"{RESULTS}/{{look}}report.html",
        run=f"{RESULTS}/{{look}}run.json",
        config=f"{RESULTS}/{{look}}config.yaml",
    log:
        f"{LOGS}/{{look}}report.log",
    conda:
        ENVIRONMENT
    resources:
        **share(0.25, 0.5),
    params:
        **made_by("report", PLACES.report),
        page=lambda w: code(PACKAGE / "report" / "page.html"),
    script:
        "../scripts/report.py"


if PLAN.steps.explored:

    rule explore:
        input:
            unpack(inputs_of(PLACES.explore)),
        output:
            page=directory(PLACES.explore),
        log:
            f"{LOGS}/explore.log",
        conda:
            ENVIRONMENT
        resources:
            **share(0.5, 1),
        params:
            **made_by("explore", PLACES.explore),
            page=lambda w: code(PACKAGE / "explore" / "static"),
        script:
            "../scripts/explore.py"


rule quick:
    input:
        f"{RESULTS}/{QUICK}report.html",
        PLAN.targets(QUICK),
