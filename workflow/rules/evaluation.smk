# Ranks to figures of merit: the only place where they are computed.


rule scores:
    input:
        ranks=[f"{RESULTS}/ranks/{setting}/{system}" for setting, system in FITS],
        published=os.path.relpath(WORKFLOW / "cr5" / "report" / "published_figures.csv"),
    output:
        scores=f"{RESULTS}/tables/scores.csv",
        curves=f"{RESULTS}/tables/curves.csv",
    log:
        f"{RESULTS}/logs/scores.log",
    benchmark:
        f"{RESULTS}/benchmarks/scores.tsv"
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=2000,
    params:
        code=code("scores.py"),
        fits=FITS,
        curve=config["evaluation"]["curve"],
        bootstrap=config["evaluation"]["bootstrap"],
        seed=config["seed"],
    script:
        "../scripts/scores.py"


rule provenance:
    input:
        documents=expand(NOTES, language=LANGUAGES),
    output:
        run=f"{RESULTS}/run.json",
        config=f"{RESULTS}/config.yaml",
    log:
        f"{RESULTS}/logs/provenance.log",
    benchmark:
        f"{RESULTS}/benchmarks/provenance.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=code("provenance.py"),
        config=config,
    script:
        "../scripts/provenance.py"
