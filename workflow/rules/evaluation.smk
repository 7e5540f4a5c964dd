# Models to ranks, and ranks to figures of merit: the only place where they are computed.

FITTED = "{setting}/{system}"


rule task_data:
    input:
        unpack(files_of_task),
        bags=BAGS,
    output:
        directory(f"{RESULTS}/tasks/{{task}}/{{language}}"),
    log:
        f"{RESULTS}/logs/tasks/{{task}}/{{language}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tasks/{{task}}/{{language}}.tsv"
    conda:
        "../../envs/text.yaml"
    resources:
        mem_mb=memory("task_data"),
        runtime=minutes("task_data"),
    params:
        code=lambda w: [
            code("task_data.py"),
            fingerprint(source_of_task(w)),
        ],
        content=content_of_task,
        task=lambda w: os.path.relpath(source_of_task(w)),
        options=lambda w: config["tasks"][w.task],
    script:
        "../scripts/task_data.py"


# Dictionaries that are not on this machine yet.
rule dictionaries:
    output:
        directory(f"{RESULTS}/dictionaries/{{task}}"),
    log:
        f"{RESULTS}/logs/dictionaries/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/dictionaries/{{task}}.tsv"
    wildcard_constraints:
        task="|".join(map(re.escape, PLACES)),
    conda:
        "../../envs/text.yaml"
    resources:
        downloads=1,
        mem_mb=memory("source"),
        runtime=minutes("source"),
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
    benchmark:
        f"{RESULTS}/benchmarks/tasks/{{task}}/tables.tsv"
    wildcard_constraints:
        task="|".join(map(re.escape, PLACES)),
    conda:
        "../../envs/text.yaml"
    resources:
        mem_mb=memory("task_data"),
        runtime=minutes("task_data"),
    params:
        code=lambda w: [
            code("task_tables.py"),
            fingerprint(source_of_task(w)),
        ],
        content=lambda w: [content(path) for path in PLACES[w.task].here],
        task=lambda w: os.path.relpath(source_of_task(w)),
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
        data=task_data,
        tables=task_tables,
    output:
        directory(f"{RESULTS}/ranks/{FITTED}/{{repetition}}/{{task}}"),
    log:
        f"{RESULTS}/logs/rank/{FITTED}/{{repetition}}/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/rank/{FITTED}/{{repetition}}/{{task}}.tsv"
    conda:
        "../../envs/text.yaml"
    threads: config["threads"]["rank"]
    resources:
        mem_mb=memory("rank"),
        runtime=minutes("rank"),
    params:
        code=lambda w: [code("rank.py"), fingerprint(source_of_task(w))],
        languages=lambda w: languages_of(w.setting),
        pairs=lambda w: SETTINGS[w.setting].pairs,
        # A model that is fitted anew is ranked anew, even if it went to the same place.
        fitted=lambda w: [rules.fit.params.code(w), fitted_with(w)],
        task=lambda w: os.path.relpath(source_of_task(w)),
        made_with=ranked_with,
        options=lambda w: config["tasks"][w.task],
        seed=lambda w: draw_seed(config, int(w.repetition)),
        names=keys_of,
        search={key: config["evaluation"][key] for key in SEARCH_KEYS},
    script:
        "../scripts/rank.py"


# Over all repetitions, for an interval over queries and repetitions needs the queries of all.
rule score:
    input:
        ranks=expand(
            rules.rank.output[0],
            repetition=range(1, config["repetitions"] + 1),
            allow_missing=True,
        ),
    output:
        directory(f"{RESULTS}/scores/{FITTED}/{{task}}"),
    log:
        f"{RESULTS}/logs/score/{FITTED}/{{task}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/score/{FITTED}/{{task}}.tsv"
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=memory("score"),
        runtime=minutes("score"),
    params:
        code=lambda w: code("score.py"),
        metrics=lambda w: METRICS[w.task],
        made_with=scored_with,
        curve=config["evaluation"]["curve"],
    script:
        "../scripts/score.py"


rule collect:
    input:
        scores=scores_of,
    output:
        scores=f"{RESULTS}/{{scope}}/scores.csv",
        repetitions=f"{RESULTS}/{{scope}}/repetitions.csv",
        curves=f"{RESULTS}/{{scope}}/curves.csv",
        mean_curves=f"{RESULTS}/{{scope}}/mean_curves.csv",
        left_out=f"{RESULTS}/{{scope}}/left_out.csv",
        origin=f"{RESULTS}/{{scope}}/scores.json",
        origins=multiext(
            f"{RESULTS}/{{scope}}/",
            "repetitions.json",
            "curves.json",
            "mean_curves.json",
            "left_out.json",
        ),
    log:
        f"{RESULTS}/logs/collect/{{scope}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/collect/{{scope}}.tsv"
    wildcard_constraints:
        scope="tables|quick",
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=memory("collect"),
        runtime=minutes("collect"),
    params:
        code=lambda w: code("collect.py"),
        published=paper.rows(config),
    script:
        "../scripts/collect.py"


# Of all systems at once: a test between two needs what each query got of both.
rule significance:
    input:
        ranks=ranks_of,
    output:
        significance=f"{RESULTS}/{{scope}}/significance.csv",
        means=f"{RESULTS}/{{scope}}/means.csv",
        origin=f"{RESULTS}/{{scope}}/significance.json",
        origin_of_means=f"{RESULTS}/{{scope}}/means.json",
    log:
        f"{RESULTS}/logs/significance/{{scope}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/significance/{{scope}}.tsv"
    wildcard_constraints:
        scope="tables|quick",
    conda:
        "../../envs/report.yaml"
    resources:
        mem_mb=memory("significance"),
        runtime=minutes("significance"),
    params:
        code=lambda w: code("significance.py"),
        metrics=METRICS,
        seed=config["seed"],
    script:
        "../scripts/significance.py"


rule provenance:
    input:
        documents=expand(NOTES, language=LANGUAGES),
        origin=f"{RESULTS}/tables/scores.json",  # so it is last: it says what made the scores
    output:
        run=f"{RESULTS}/run.json",
        config=f"{RESULTS}/config.yaml",
    log:
        f"{RESULTS}/logs/provenance.log",
    benchmark:
        f"{RESULTS}/benchmarks/provenance.tsv"
    conda:
        "../../envs/report.yaml"
    params:
        code=lambda w: code("provenance.py"),
        config=config,
    script:
        "../scripts/provenance.py"
