# All tables and figures to one page.


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
        made_of(FIRST_LOOK),


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
