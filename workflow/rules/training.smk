# Who trains, word vectors and alignments for those that start from them, and the fits.


# Queries and candidates are drawn once for all settings; a setting decides what trains.
rule draw:
    input:
        bags=expand(BAGS, language=sorted(LANGUAGES)),
        # Which texts are equal; of a given split, which concepts are there but do not count.
        documents=(
            expand(DOCUMENTS, language=sorted(LANGUAGES))
            if RUN.splits.duplicates == TOGETHER or RUN.splits.given
            else []
        ),
        given=lambda w: by_content(
            [RUN.splits.given] if isinstance(RUN.splits.given, str) else []
        ),
    output:
        directory(f"{RESULTS}/draws/{{repetition}}"),
    resources:
        **share(0.1, 0.25),
    script:
        "../scripts/draw.py"


rule setting:
    input:
        bags=bags_of_setting,
        draw=rules.draw.output[0],
    output:
        directory(f"{RESULTS}/settings/{{setting}}/{{repetition}}"),
    resources:
        **share(0.1, 0.25),
    script:
        "../scripts/setting.py"


if VECTORS_ARE_GIVEN:

    rule given_vectors:
        input:
            lambda w: by_content(
                on_this_machine(RUN.vectors.file(w.language, RUN.written))
            ),
        output:
            directory(VECTORS),
        resources:
            **requested(2000, 10),  # 200,000 of 300 numbers are a quarter of a GB
        script:
            "../scripts/given_vectors.py"

else:

    # Trained on what a repetition leaves. The longest jobs start first, so that none is left running
    # alone at the end.
    rule vectors:
        input:
            documents=DOCUMENTS,
            draw=rules.draw.output[0],
            stop_words=lambda w: stop_words([w.language]),
        output:
            directory(VECTORS),
        benchmark:
            f"{RESULTS}/benchmarks/vectors/{{language}}/{{repetition}}.tsv"
        priority: 100
        threads: RUN.vectors.threads
        resources:
            **share(1, 8),
        script:
            "../scripts/vectors.py"


# Word translation tables that an aligner makes from parallel text: of files, or of the corpus's own
# paragraphs. Of these only training documents count, which differ by setting and repetition.
ARE_ALIGNED = isinstance(RUN.alignments, MadeAlignments)
ALIGNED_FILES = BUNDLES.get(ALIGNMENTS_SECTION, {})
ALIGNMENTS = f"{RESULTS}/alignments/" + (
    "{first}-{second}" if ALIGNED_FILES else "{setting}/{repetition}/{first}-{second}"
)


rule align:
    input:
        sentences=sentences_to_align,
        trained=[] if ALIGNED_FILES else rules.setting.output[0],
        stop_words=lambda w: stop_words([w.first, w.second]),
    output:
        directory(ALIGNMENTS),
    wildcard_constraints:
        first="|".join(LANGUAGES),
        second="|".join(LANGUAGES),
    threads: 2
    resources:
        **share(1, 8),
    script:
        "../scripts/align.py"


rule fit:
    input:
        unpack(read_by_fit),
        bags=bags_of_setting,
        draw=rules.draw.output[0],
        trained=rules.setting.output[0],
    output:
        directory(f"{RESULTS}/models/{{setting}}/{{system}}/{{repetition}}"),
    benchmark:
        f"{RESULTS}/benchmarks/fit/{{setting}}/{{system}}/{{repetition}}.tsv"
    priority: lambda w: resources.of_fit(RUN, w.system)[1]
    threads: RUN.threads.fit
    resources:
        mem_mb=lambda w, attempt: attempt * resources.of_fit(RUN, w.system)[0],
        runtime=lambda w, attempt: attempt * resources.of_fit(RUN, w.system)[1],
    params:
        system=lambda w: code(RUN.systems[w.system].source),
        task=lambda w: (x := RUN.validated_by(w.system)) and code(x.source),
    script:
        "../scripts/fit.py"
