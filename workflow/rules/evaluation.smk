# Models to ranks, and ranks to figures of merit, which are computed only here.

FITTED = "{setting}/{system}"


rule task_data:
    input:
        unpack(files_of_task),
        bags=BAGS,
    output:
        directory(f"{RESULTS}/tasks/{{task}}/{{language}}"),
    log:
        f"{RESULTS}/logs/tasks/{{task}}/{{language}}.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("task_data"),
    params:
        code=lambda w: [
            code("task_data.py"),
            fingerprint(source_of_task(w)),
        ],
        tokens=TOKENS,
        stop_words=stop_words,
        content=content_of_task,
        name=lambda w: w.task,
        options=lambda w: config["tasks"][w.task],
    script:
        "../scripts/task_data.py"


# Text of one language alone: as a task's, but for systems.
use rule task_data as channel with:
    input:
        unpack(channel_files),
        bags=BAGS,
    output:
        directory(CHANNEL),
    log:
        f"{RESULTS}/logs/channels/{{language}}.log",
    params:
        code=lambda w: [
            code("task_data.py"),
            fingerprint(TASKS.source("ad_hoc", {})),
        ],
        tokens=TOKENS,
        stop_words=stop_words,
        content=lambda w: [content(path) for path in channel_files(w).values()],
        name="ad_hoc",
        options={},


# Dictionaries that are not yet on this machine.
rule dictionaries:
    output:
        directory(f"{RESULTS}/dictionaries/{{task}}"),
    log:
        f"{RESULTS}/logs/dictionaries/{{task}}.log",
    wildcard_constraints:
        task="|".join(map(re.escape, PLACES)),
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("source"),
        downloads=1,
    params:
        code=lambda w: code("dictionaries.py"),
        where=lambda w: PLACES[w.task].where,
        pairs=lambda w: PLACES[w.task].pairs,
    script:
        "../scripts/dictionaries.py"


rule task_tables:
    input:
        files=dictionary_files,
        bags=expand(BAGS, language=sorted(LANGUAGES)),
    output:
        directory(f"{RESULTS}/tasks/{{task}}/tables"),
    log:
        f"{RESULTS}/logs/tasks/{{task}}/tables.log",
    wildcard_constraints:
        task="|".join(map(re.escape, PLACES)),
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("task_data"),
    params:
        code=lambda w: [
            code("task_tables.py"),
            fingerprint(source_of_task(w)),
        ],
        content=lambda w: [content(path) for path in PLACES[w.task].here],
        tokens=TOKENS,
        stop_words=[content(path) for path in files.stop_words(config)],
        options=lambda w: READERS[w.task],
        languages=sorted(LANGUAGES),
        where=dictionaries_at,
        are_fetched=lambda w: PLACES[w.task].is_elsewhere,
        pairs=lambda w: PLACES[w.task].pairs,
    script:
        "../scripts/task_tables.py"


rule rank:
    input:
        bags=of_languages(BAGS),
        draw=rules.draw.output[0],
        model=rules.fit.output[0],
        texts=texts_of_documents,
        data=task_data,
        tables=task_tables,
    output:
        directory(f"{RESULTS}/ranks/{FITTED}/{{repetition}}/{{task}}"),
    log:
        f"{RESULTS}/logs/rank/{FITTED}/{{repetition}}/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/rank/{FITTED}/{{repetition}}/{{task}}.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: config["threads"]["rank"]
    resources:
        **requested("rank"),
    params:
        code=lambda w: [code("rank.py"), fingerprint(source_of_task(w))],
        # A refitted model is ranked again, even if it is in the same place.
        fitted=fitted_with,
        fitting=lambda w: rules.fit.params.code(w),
        module=lambda w: own_module(w.system),
        made_with=lambda w: MADE_WITH.rank(w.setting, w.task),
        seed=lambda w: draw_seed(config, int(w.repetition)),
        names=keys_of,
    script:
        "../scripts/rank.py"


# Of all systems and repetitions at once: an interval over repetitions needs the queries of all of
# them, and a test between two systems what each query got of both.
rule scores:
    input:
        ranks=ranks_of(MATRIX),
        seen=lambda w: SEEN,  # no figure of a run that trains on test texts
    output:
        directory(f"{RESULTS}/tables"),
    log:
        f"{RESULTS}/logs/tables.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("scores"),
    params:
        code=lambda w: code("scores.py"),
        metrics=METRICS,
        curve=config["evaluation"]["curve"],
        seed=config["seed"],
        fits=[(row.setting.name, row.system, row.task) for row in MATRIX],
    script:
        "../scripts/scores.py"


# Those of a first look.
use rule scores as quick_scores with:
    input:
        ranks=ranks_of(FIRST_LOOK),
        seen=lambda w: SEEN,
    output:
        directory(f"{RESULTS}/quick/tables"),
    log:
        f"{RESULTS}/logs/quick/tables.log",
    params:
        code=lambda w: code("scores.py"),
        metrics=METRICS,
        curve=config["evaluation"]["curve"],
        seed=config["seed"],
        fits=[(row.setting.name, row.system, row.task) for row in FIRST_LOOK],


# For other programs: made where evaluation.run_depth is above zero.
rule runs:
    input:
        ranks=ranks_of(MATRIX),
    output:
        directory(f"{RESULTS}/runs"),
    log:
        f"{RESULTS}/logs/runs.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("scores"),
    params:
        code=lambda w: code("runs.py"),
    script:
        "../scripts/runs.py"
