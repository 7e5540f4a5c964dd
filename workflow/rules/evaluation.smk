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
        ranks=ranks_of,
        seen=lambda w: SEEN,  # no figure of a run that trains on test texts
    output:
        scores=f"{RESULTS}/{{scope}}/scores.csv",
        origin=f"{RESULTS}/{{scope}}/scores.json",
        more=[
            f"{RESULTS}/{{scope}}/{name}.{ending}"
            for name in ("curves", "left_out", "significance")
            for ending in ("csv", "json")
        ],
    log:
        f"{RESULTS}/logs/{{scope}}/scores.log",
    wildcard_constraints:
        scope="tables|quick",
    conda:
        "../../envs/environment.yaml"
    resources:
        **requested("scores"),
    params:
        code=lambda w: code("scores.py"),
        metrics=METRICS,
        curve=config["evaluation"]["curve"],
        seed=config["seed"],
        fits=lambda w: [
            (row.setting.name, row.system, row.task) for row in rows_of(w.scope)
        ],
        made_with=lambda w: [ranks_made_with(row) for row in rows_of(w.scope)],
        configuration=lambda w: configuration_of_run(),
    script:
        "../scripts/scores.py"


# For other programs: made where evaluation.run_depth is above zero.
rule runs:
    input:
        ranks=[rules.rank.output[0].format(**row.keys) for row in MATRIX],
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
