# Models to ranks, and ranks to figures of merit, which are computed only here.
OTHER_SENTENCES = aligned_of(ALIGNMENTS_SECTION)
HAS_TEXTS = TEXT.has_text or MADE_WITH.channels or OTHER_SENTENCES
SEEN = [f"{RESULTS}/seen"] if HAS_TEXTS else []

if SEEN:

    # Whether documents that train, or text of other files, of channels and of the aligner, have the
    # text of tests.
    rule seen:
        input:
            bags=expand(BAGS, language=sorted(LANGUAGES)),
            documents=expand(
                DOCUMENTS, language=sorted(LANGUAGES) if TEXT.has_text else []
            ),
            draws=expand(rules.draw.output[0], repetition=range(1, RUN.repetitions + 1)),
            tests=files_of_tests,
            sentences=OTHER_SENTENCES,
            channels=files_of_channels,
        output:
            directory(SEEN[0]),
        priority: 100  # before the fits
        resources:
            **share(0.25, 0.5),
        params:
            # In the order of the tests that the job reads.
            files=lambda w, input: [
                given(task, language) for task, language in MADE_WITH.tested()
            ],
        script:
            "../scripts/seen.py"


rule rank:
    input:
        unpack(read_by_rank),
        bags=bags_of_setting,
        draw=rules.draw.output[0],
        model=rules.fit.output[0],
    output:
        directory(f"{RESULTS}/ranks/{{setting}}/{{system}}/{{repetition}}/{{task}}"),
    benchmark:
        f"{RESULTS}/benchmarks/rank/{{setting}}/{{system}}/{{repetition}}/{{task}}.tsv"
    threads: RUN.threads.rank
    resources:
        mem_mb=lambda w, attempt: attempt * resources.of_ranks(RUN, w.setting)[0],
        runtime=lambda w, attempt: attempt * resources.of_ranks(RUN, w.setting)[1],
    params:
        task=lambda w: code(RUN.readers[w.task].source),
    script:
        "../scripts/rank.py"


# Of all systems and repetitions at once: an interval over repetitions needs the queries of all of
# them, and a test between two systems what each query got of both.
rule scores:
    input:
        ranks=lambda w: made_by_rows(rules.rank, MADE_WITH.rows(w.look)),
        seen=SEEN,  # no figure of a run that trains on test texts
    output:
        directory(f"{RESULTS}/{{look}}tables"),
    resources:
        **share(0.5, 2),
    script:
        "../scripts/scores.py"


# For other programs: made where evaluation.run_depth is above zero.
rule runs:
    input:
        made_by_rows(rules.rank, MATRIX),
    output:
        directory(f"{RESULTS}/runs"),
    resources:
        **share(0.5, 2),
    script:
        "../scripts/runs.py"
