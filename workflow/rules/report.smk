# Scores to the paper's tables and figures, and all of it to one page.

FIRST_SETTING, FIRST_SYSTEM = FITS[0]
FIGURES = {"precision_at_k": "cosine", "precision_at_k_csls": "csls"}


rule table1:
    input:
        scores=rules.scores.output.scores,
    output:
        table("table1"),
        html=page_item("tables/table1.html", "table1", "Results", "Table 1: retrieval"),
    log:
        f"{RESULTS}/logs/table1.log",
    benchmark:
        f"{RESULTS}/benchmarks/table1.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=code("table1.py"),
        corpus=config["corpus"]["name"],
    script:
        "../scripts/table1.py"


rule table2:
    input:
        ranks=f"{RESULTS}/ranks/{FIRST_SETTING}/{FIRST_SYSTEM}",
        bags=expand(BAGS, language=LANGUAGES),
    output:
        table("table2"),
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
        fit=(FIRST_SETTING, FIRST_SYSTEM),
        languages=LANGUAGES,
        n_queries=config["evaluation"]["examples"],
        seed=config["seed"],
    script:
        "../scripts/table2.py"


rule corpus:
    input:
        bags=expand(BAGS, language=LANGUAGES),
        documents=expand(NOTES, language=LANGUAGES),
        pairs=expand(rules.splits.output.pairs, setting=list(SETTINGS)),
    output:
        table("languages"),
        table("pairs"),
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
        settings=list(SETTINGS),
    script:
        "../scripts/corpus.py"


rule figure:
    input:
        curves=rules.scores.output.curves,
    output:
        multiext(f"{RESULTS}/figures/{{figure}}", ".pdf", ".png"),
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
        corpus=config["corpus"]["name"],
    script:
        "../scripts/figure.py"


rule report_items:
    input:
        rules.table1.output,
        rules.table2.output,
        rules.corpus.output,
        expand(rules.figure.output, figure=FIGURES),
        rules.provenance.output,


# Snakemake writes the page itself, from what it knows of the finished jobs.
rule report_page:
    input:
        rules.report_items.input,
        config=rules.provenance.output.config,
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
