# Files of tasks, and of channels: texts, dictionaries and parallel text.


rule task_data:
    input:
        unpack(inputs_of(PLACES.task_data)),
    output:
        data=directory(PLACES.task_data),
    log:
        f"{LOGS}/tasks/{{task}}/{{language}}.log",
    priority: 50
    conda:
        ENVIRONMENT
    resources:
        **share(0.25, 0.5),
    params:
        **made_by("task_data", PLACES.task_data),
        task=lambda w: code(RUN.all_tasks[w.task].source),
    script:
        "../scripts/task_data.py"


# Dictionaries that are not yet on this machine.
rule dictionaries:
    output:
        dictionaries=directory(PLACES.dictionaries),
    log:
        f"{LOGS}/dictionaries/{{task}}.log",
    conda:
        ENVIRONMENT
    resources:
        **requested(1000, 60),
        downloads=1,
    params:
        **made_by("dictionaries", PLACES.dictionaries),
    script:
        "../scripts/dictionaries.py"


rule task_tables:
    input:
        unpack(inputs_of(PLACES.task_tables)),
    output:
        tables=directory(PLACES.task_tables),
    log:
        f"{LOGS}/tasks/{{task}}/tables.log",
    priority: 50
    conda:
        ENVIRONMENT
    resources:
        **share(0.25, 0.5),
    params:
        **made_by("task_tables", PLACES.task_tables),
        task=lambda w: code(RUN.all_tasks[w.task].source),
    script:
        "../scripts/task_tables.py"


# Parallel text of tasks and of the aligner: joined and cleaned once for all systems.
rule aligned:
    input:
        unpack(inputs_of(PLACES.aligned)),
    output:
        aligned=directory(PLACES.aligned),
    log:
        f"{LOGS}/aligned/{{task}}/{{bundle}}.log",
    wildcard_constraints:
        task="|".join(map(re.escape, INPUTS.bundles)) or "none",
        bundle="|".join(names_of_bundles()) or "none",
    priority: 50
    conda:
        ENVIRONMENT
    resources:
        **share(0.25, 0.5),
    params:
        **made_by("aligned", PLACES.aligned),
    script:
        "../scripts/aligned.py"
