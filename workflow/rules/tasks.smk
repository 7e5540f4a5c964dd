# Files of tasks: texts, dictionaries and parallel text; and whether text of tests trains.


def source_of(section, name):
    """Return the file of a system or a task."""
    kind, entries = (
        (SYSTEMS, config[section])
        if section == "systems"
        else (TASKS, MADE_WITH.readers)
    )
    return kind.source(name, entries[name])


def source_of_system(wildcards):
    """Return the file of a system."""
    return source_of("systems", wildcards.system)


def source_of_task(wildcards):
    """Return the file of a task."""
    return source_of("tasks", wildcards.task)


def given(task, language):
    """Return a task's own files for one language, by name."""
    if configuration.part(config, "tasks", task).parallel:
        return {"aligned": aligned_of(task)}
    return files.of_task(config, task, language)


rule task_data:
    input:
        unpack(lambda w: given(w.task, w.language)),
        bags=BAGS,
        stop_words=lambda w: files.stop_words(config, [w.language]),
    output:
        directory(f"{RESULTS}/tasks/{{task}}/{{language}}"),
    log:
        f"{RESULTS}/logs/tasks/{{task}}/{{language}}.log",
    priority: 50
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("task_data"),
    params:
        **told("task_data", "task_data.py", source_of_task),
    script:
        "../scripts/task_data.py"


# Dictionaries that are not yet on this machine.
rule dictionaries:
    output:
        directory(f"{RESULTS}/dictionaries/{{task}}"),
    log:
        f"{RESULTS}/logs/dictionaries/{{task}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("source"),
        downloads=1,
    params:
        **told("dictionaries", "dictionaries.py"),
    script:
        "../scripts/dictionaries.py"


def dictionary_files(wildcards):
    """Return a task's own files of language pairs, or the folder they are fetched to."""
    place = PLACES[wildcards.task]
    if place.is_elsewhere:
        return rules.dictionaries.output[0]
    return [str(path) for path in place.here]


rule task_tables:
    input:
        files=dictionary_files,
        bags=expand(BAGS, language=sorted(LANGUAGES)),
        stop_words=files.stop_words(config),
    output:
        directory(f"{RESULTS}/tasks/{{task}}/tables"),
    log:
        f"{RESULTS}/logs/tasks/{{task}}/tables.log",
    priority: 50
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("task_data"),
    params:
        **told("task_tables", "task_tables.py", source_of_task),
    script:
        "../scripts/task_tables.py"


def aligned_of(task):
    """Return what was aligned for a task; empty for a task without parallel text."""
    return expand(ALIGNED, task=task, bundle=BUNDLES.get(task, ()))


def files_of_bundle(wildcards):
    """Return where the sentences of each language are: a file, or paragraphs of the corpus."""
    places = BUNDLES[wildcards.task][wildcards.bundle].places
    return [
        on_this_machine(place.file) if place.file else PARAGRAPHS.format(language=x)
        for x, place in places.items()
    ]


# Parallel text of tasks and of the aligner: joined and cleaned once for all systems.
rule aligned:
    input:
        files_of_bundle,
    output:
        directory(ALIGNED),
    log:
        f"{RESULTS}/logs/aligned/{{task}}/{{bundle}}.log",
    wildcard_constraints:
        task="|".join(map(re.escape, BUNDLES)) or "none",
        bundle="|".join({x for found in BUNDLES.values() for x in found}) or "none",
    priority: 50
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("task_data"),
    params:
        **told("aligned", "aligned.py"),
    script:
        "../scripts/aligned.py"
