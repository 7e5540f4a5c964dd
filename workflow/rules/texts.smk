# Texts to bags of words.


# A file that systems and tasks name by its URL. A partial download stays beside it as .part, which
# snakemake does not know and so keeps.
rule fetch:
    output:
        FETCHED,
    wildcard_constraints:
        file="https?/.+",
    resources:
        **requested(1000, 240),
        downloads=1,
    # No code: another version of it must not fetch gigabytes again.
    params:
        address=lambda w: "://".join(w.file.split(os.sep, 1)),
    script:
        "../scripts/fetch.py"


if TEXT.has_text and not TEXT.own_rules:

    rule documents:
        input:
            lambda w: by_content(MADE_WITH.of_corpus(w.language)) or f"{RESULTS}/source",
            others=lambda w: by_content(MADE_WITH.beside_corpus(w.language)),
        output:
            documents=directory(DOCUMENTS),
            paragraphs=[directory(PARAGRAPHS)] if PARAGRAPHS else [],
        priority: 50  # a bad line of somebody's own stops the run early
        resources:
            **share(0.5, 1),
        params:
            source=lambda w: code(RUN.corpus.source),
        script:
            "../scripts/documents.py"

    if not getattr(TEXT, "path", None):

        rule source:
            output:
                directory(f"{RESULTS}/source"),
            resources:
                **requested(1000, 60),
                downloads=1,
            params:
                source=lambda w: code(RUN.corpus.source),
            script:
                "../scripts/source.py"


if TEXT.has_text:

    rule bags:
        input:
            documents=DOCUMENTS,
            vectors=VECTORS if RUN.bags.vocabulary == "vectors" else [],
            stop_words=lambda w: stop_words([w.language]),
        output:
            directory(BAGS),
        resources:
            **share(1, 1),
        script:
            "../scripts/bags.py"

else:

    # Documents that are already weights of numbered words, with a class each.
    rule bags:
        input:
            lambda w: by_content(TEXT.files(w.language, RUN.written).values()),
        output:
            bags=directory(BAGS),
            documents=directory(DOCUMENTS),
        resources:
            **share(1, 1),
        script:
            "../scripts/bags_matrix.py"
