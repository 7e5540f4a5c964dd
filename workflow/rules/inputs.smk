# What jobs are given: files of systems and tasks, and all that is asked for by name.


def vector_files(wildcards):
    """Word vectors of each language, for systems that start from them."""
    if "vectors" not in configuration.needs(config, wildcards.system):
        return []
    return of_languages(rules.vectors.output[0])(wildcards)


def alignment_tables(languages):
    """Word translation tables of each directed pair."""
    path = config["alignments"]["path"]
    return [
        path.replace("{source}", a).replace("{target}", b)
        for a in languages
        for b in languages
        if a != b
    ]


def alignment_files(wildcards):
    """Word translation tables, for systems that start from them."""
    if "alignments" not in configuration.needs(config, wildcards.system):
        return []
    return [ancient(x) for x in alignment_tables(languages_of(wildcards.setting))]


for row in MATRIX:
    if "alignments" in configuration.needs(config, row.system):
        for path in alignment_tables(row.setting.languages):
            require(path, "alignments.path")


def source_of_system(wildcards):
    """The file of a system."""
    return source_of("systems", wildcards.system)


def drawn_with(wildcards):
    """Settings that a draw depends on."""
    seed = draw_seed(config, int(wildcards.repetition))
    return [searched_pairs(config), config["splits"], seed]


def fitted_with(wildcards):
    """Settings that a model depends on, beside those of its draw."""
    needs = configuration.needs(config, wildcards.system)
    return [
        *[wildcards.setting, config["systems"][wildcards.system]],
        *[config["weighting"], config["bags"], config["splits"]],
        config["vectors"] if "vectors" in needs else None,
        seed_of(config["seed"], int(wildcards.repetition)),
    ]


def ranked_with(wildcards):
    """Settings that ranks depend on, beside those of their model."""
    keys = ("measures", "csls_neighbours", "csls_neighbourhood")
    options = {key: config["evaluation"][key] for key in keys}
    return [wildcards.task, config["tasks"][wildcards.task], options]


def scored_with(wildcards):
    """Settings that scores depend on, beside those of their ranks."""
    metrics = catalogue.metrics_of(source_of_task(wildcards))
    return [metrics, config["evaluation"]["curve"]]


def fitted_by(wildcards):
    """Fingerprints of the code that fits."""
    return [code("fit.py"), fingerprint(source_of_system(wildcards))]


def source_of_task(wildcards):
    """The file of a task."""
    return source_of("tasks", wildcards.task)


def files_of_task(wildcards):
    """Files of a task's own for one language."""
    if catalogue.is_parallel(source_of_task(wildcards)):
        return {"aligned": aligned_of(wildcards.task)}
    files = catalogue.files_of(
        source_of_task(wildcards), config["tasks"][wildcards.task], wildcards.language
    )
    return {name: ancient(path) for name, path in files.items()}


def content_of_task(wildcards):
    """Checksums of those that come from outside."""
    files = files_of_task(wildcards)
    return [content(path) for name, path in files.items() if name != "aligned"]


for name, options in config["tasks"].items():
    if catalogue.is_parallel(source_of("tasks", name)):
        continue
    for language in LANGUAGES:
        try:
            files = catalogue.files_of(source_of("tasks", name), options, language)
        except UserError as error:
            raise WorkflowError(str(error))
        for key, path in files.items():
            require(path, f"tasks.{name}.{key}")


def task_data(wildcards):
    """What was counted of a task's own files, for each language of the setting."""
    if not catalogue.has_files(source_of_task(wildcards)):
        return []
    return of_languages(rules.task_data.output[0])(wildcards)


def scores_of(wildcards):
    """Scores of all that is run, or of what `quick` looks at."""
    rows = quick(MATRIX) if wildcards.scope == "quick" else MATRIX
    fits = dict.fromkeys((row.setting.name, row.system, row.task) for row in rows)
    return [
        f"{RESULTS}/scores/{setting}/{system}/{task}" for setting, system, task in fits
    ]


# A failed job takes its output with it, and snakemake does not miss what is missing in between
# while what came of it, under other settings, is still there: so all of it is asked for by name.
def made_of(rows):
    """Bags, draws, settings, models and ranks of rows of the matrix."""
    patterns = (
        rules.draw.output[0],
        rules.setting.output.trained,
        rules.fit.output[0],
        rules.rank.output[0],
    )
    made = [pattern.format(**row.keys) for row in rows for pattern in patterns]
    return list(dict.fromkeys([*expand(BAGS, language=LANGUAGES), *made]))
