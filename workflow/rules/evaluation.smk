# Models to ranks, and ranks to figures of merit, which are computed only here.


# Whether documents that train, or text of other files, of channels and of the aligner, have the text
# of tests.
rule seen:
    input:
        unpack(inputs_of(PLACES.seen)),
    output:
        seen=directory(PLACES.seen),
    log:
        f"{LOGS}/seen.log",
    priority: 1000  # before the fits, whose priority is their minutes
    conda:
        ENVIRONMENT
    resources:
        **share(0.25, 0.5),
    params:
        **made_by("seen", PLACES.seen),
    script:
        "../scripts/seen.py"


rule rank:
    input:
        unpack(inputs_of(PLACES.ranks)),
    output:
        ranks=directory(PLACES.ranks),
    log:
        f"{LOGS}/ranks/{{setting}}/{{system}}/{{repetition}}/{{task}}.log",
    benchmark:
        f"{BENCHMARKS}/rank/{{setting}}/{{system}}/{{repetition}}/{{task}}.tsv"
    conda:
        ENVIRONMENT
    threads: RUN.threads.rank
    resources:
        mem_mb=lambda w, attempt: attempt * resources.of_ranks(RUN, w.setting).megabytes,
        runtime=lambda w, attempt: attempt * resources.of_ranks(RUN, w.setting).minutes,
    params:
        **made_by("rank", PLACES.ranks),
        task=lambda w: code(RUN.all_tasks[w.task].source),
    script:
        "../scripts/rank.py"


# Of all systems and repetitions at once: an interval over repetitions needs the queries of all of
# them, and a test between two systems what each query got of both.
rule scores:
    input:
        unpack(inputs_of(PLACES.scores)),
    output:
        scores=directory(PLACES.scores),
    log:
        f"{LOGS}/{{look}}tables.log",
    conda:
        ENVIRONMENT
    resources:
        **share(0.5, 2),
    params:
        **made_by("scores", PLACES.scores),
    script:
        "../scripts/scores.py"


# For other programs: made where evaluation.run_depth is above zero.
rule runs:
    input:
        unpack(inputs_of(PLACES.runs)),
    output:
        runs=directory(PLACES.runs),
    log:
        f"{LOGS}/runs.log",
    conda:
        ENVIRONMENT
    resources:
        **share(0.5, 2),
    params:
        **made_by("runs", PLACES.runs),
    script:
        "../scripts/runs.py"
