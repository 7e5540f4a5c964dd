# Files of tasks, and of channels: texts, dictionaries and parallel text.


rule task_data:
    input:
        unpack(read_by_task),
        bags=BAGS,
        stop_words=lambda w: stop_words([w.language]),
    output:
        directory(f"{RESULTS}/tasks/{{task}}/{{language}}"),
    priority: 50
    resources:
        **share(0.25, 0.5),
    params:
        task=lambda w: code(RUN.readers[w.task].source),
    script:
        "../scripts/task_data.py"


# Dictionaries that are not yet on this machine.
rule dictionaries:
    output:
        directory(f"{RESULTS}/dictionaries/{{task}}"),
    resources:
        **requested(1000, 60),
        downloads=1,
    params:
        addresses=lambda w: PLACES[w.task].addresses,
    script:
        "../scripts/dictionaries.py"


rule task_tables:
    input:
        files=dictionary_files,
        bags=expand(BAGS, language=sorted(LANGUAGES)),
        stop_words=lambda w: stop_words(),
    output:
        directory(f"{RESULTS}/tasks/{{task}}/tables"),
    priority: 50
    resources:
        **share(0.25, 0.5),
    params:
        task=lambda w: code(RUN.readers[w.task].source),
        pairs=lambda w: list(PLACES[w.task].found),  # of the files, in their order
    script:
        "../scripts/task_tables.py"


# Parallel text of tasks and of the aligner: joined and cleaned once for all systems.
rule aligned:
    input:
        files_of_bundle,
    output:
        directory(ALIGNED),
    wildcard_constraints:
        task="|".join(map(re.escape, BUNDLES)) or "none",
        bundle="|".join({x for found in BUNDLES.values() for x in found}) or "none",
    priority: 50
    resources:
        **share(0.25, 0.5),
    script:
        "../scripts/aligned.py"
