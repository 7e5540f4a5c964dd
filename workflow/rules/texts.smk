# Texts to bags of words.


# A file that systems and tasks name by its URL. A partial download stays beside it as .part, which
# snakemake does not know and so keeps.
rule fetch:
    output:
        PLACES.fetched,
    log:
        f"{LOGS}/fetched/{{file}}.log",
    wildcard_constraints:
        file="https?/.+",
    conda:
        ENVIRONMENT
    resources:
        **requested(1000, 240),
        downloads=1,
    # No code: another version of it must not fetch gigabytes again.
    params:
        address=lambda w: "://".join(w.file.split(os.sep, 1)),
    script:
        "../scripts/fetch.py"


if TEXT.has_text and not TEXT.own_rules:

    rule source:
        output:
            texts=directory(PLACES.source),
        log:
            f"{LOGS}/source.log",
        conda:
            ENVIRONMENT
        resources:
            **requested(1000, 60),
            downloads=1,
        params:
            **made_by("source", PLACES.source),
            source=lambda w: code(RUN.corpus.source),
        script:
            "../scripts/source.py"

    rule documents:
        input:
            unpack(inputs_of(PLACES.documents)),
        output:
            documents=directory(PLACES.documents),
            paragraphs=[directory(PLACES.paragraphs)] if TEXT.parallel else [],
        log:
            f"{LOGS}/documents/{{language}}.log",
        priority: 50  # a bad line of somebody's own stops the run early
        conda:
            ENVIRONMENT
        resources:
            **share(0.5, 1),
        params:
            **made_by("documents", PLACES.documents),
            source=lambda w: code(RUN.corpus.source),
        script:
            "../scripts/documents.py"


if TEXT.has_text:

    rule bags:
        input:
            unpack(inputs_of(PLACES.bags)),
        output:
            bags=directory(PLACES.bags),
        log:
            f"{LOGS}/bags/{{language}}.log",
        conda:
            ENVIRONMENT
        resources:
            **share(1, 1),
        params:
            **made_by("bags", PLACES.bags),
        script:
            "../scripts/bags.py"

else:

    # Documents that are already weights of numbered words, with a class each.
    rule bags:
        input:
            unpack(inputs_of(PLACES.bags)),
        output:
            bags=directory(PLACES.bags),
            documents=directory(PLACES.documents),
        log:
            f"{LOGS}/bags/{{language}}.log",
        conda:
            ENVIRONMENT
        resources:
            **share(1, 1),
        params:
            **made_by("bags_matrix", PLACES.bags),
        script:
            "../scripts/bags_matrix.py"
