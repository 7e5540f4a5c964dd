# Inputs of jobs: files of systems and tasks, and everything requested by name.
from types import SimpleNamespace

from cr5.base import origin
from cr5.corpora.dictionary_places import fetched
from cr5.corpora.parallel import fetched_name
from cr5.fitting.validation_options import DOCUMENTS as DRAWN

SEARCH_KEYS = (
    "measures",
    "csls_neighbours",
    "csls_neighbourhood",
    "inverse_temperature",
)
WITHOUT_EFFECT = ("results", "threads", "memory_mb", "minutes")
FETCHED = f"{RESULTS}/fetched/{{file}}"
ADDRESSES = {}  # by the file's local name


def fetched_from(address):
    """Return where a file is fetched to."""
    name = fetched_name(address)
    if (other := ADDRESSES.setdefault(name, address)) != address:
        raise WorkflowError(f"{address} and {other} would both be fetched to {name}")
    return FETCHED.format(file=name)


include: "words.smk"


def source_of_system(wildcards):
    """Return the file of a system."""
    return source_of("systems", wildcards.system)


def own_module(system):
    """Return the file of a user's own system, which may have a class of models; None of ours."""
    source = source_of("systems", system)
    own = not source.is_relative_to(catalogue.PACKAGE)
    return os.path.relpath(source) if own else None


def own_code(path):
    """Return the fingerprint of a user's own module, which no commit of this package covers."""
    own = not path.is_relative_to(catalogue.PACKAGE)
    return [fingerprint(path)] if own else []


def files_of_system(name, languages):
    """Return a system's own files by language and option."""
    source = source_of("systems", name)
    return {
        (language, option): path
        for language in (languages if catalogue.has_files(source) else [])
        for option, path in catalogue.files_of(
            source, config["systems"][name], language, "systems"
        ).items()
    }


def system_files(wildcards):
    """Return those of a fit, on this machine or where they are fetched to."""
    languages = languages_of(wildcards.setting)
    return {
        (language, option): (
            fetched_from(path)
            if as_folder(path) is None
            else ancient(str(as_folder(path)))
        )
        for (language, option), path in files_of_system(
            wildcards.system, languages
        ).items()
    }


def system_content(wildcards):
    """Return checksums of those on this machine; a URL identifies its file."""
    languages = languages_of(wildcards.setting)
    places = map(as_folder, files_of_system(wildcards.system, languages).values())
    return [content(path) for path in places if path is not None]


for row in MATRIX:
    try:
        files = files_of_system(row.system, row.setting.languages)
        for (_, option), path in files.items():
            if as_folder(path) is None:
                fetched_from(path)
            else:
                require(as_folder(path), f"systems.{row.system}.{option}")
    except UserError as error:
        raise WorkflowError(str(error))


def drawn_with(wildcards):
    """Return the settings that a draw depends on."""
    seed = draw_seed(config, int(wildcards.repetition))
    vocabulary = [config["vectors"], content_of_vectors(sorted(LANGUAGES))]
    return [
        *[searched_pairs(config), config["splits"], seed],
        *(vocabulary if VOCABULARY else []),
    ]


def fitted_with(wildcards):
    """Return the settings that a model depends on, besides those of its draw."""
    needs = configuration.needs(config, wildcards.system)
    setting = SETTINGS[wildcards.setting]
    return [
        *[setting.name, setting.languages, setting.pairs, cut_of(setting.name)],
        config["systems"][wildcards.system],
        *own_code(source_of_system(wildcards)),
        *[config["weighting"], config["bags"], config["splits"]],
        config["vectors"] if "vectors" in needs else None,
        content_of_vectors(setting.languages) if "vectors" in needs else [],
        *seeded_with(wildcards),
        *validated_with(wildcards),
        [*aligned_with(wildcards), *system_content(wildcards)],
        config["validation"],
        config["processor"],
        seed_of(config["seed"], int(wildcards.repetition)),
    ]


def ranked_with(wildcards):
    """Return the settings that ranks depend on, besides those of their model."""
    options = {key: config["evaluation"][key] for key in SEARCH_KEYS}
    task, own = wildcards.task, own_code(source_of_task(wildcards))
    contents = [
        content_of_task(SimpleNamespace(task=task, language=language))
        for language in languages_of(wildcards.setting)
    ]
    if place := PLACES[task]:
        contents += map(content, place.here)
    bundles = sorted(BUNDLES.get(task, ()))
    contents += [content_of_bundle(task, bundle) for bundle in bundles]
    return [task, config["tasks"][task], *own, contents, options]


@cache
def ranks_made_with(row):
    """Return the checksum of all settings that the ranks of a row of the matrix depend on."""
    wildcards = SimpleNamespace(**row.keys)
    steps = (drawn_with, fitted_with, ranked_with)
    return origin.chained(*(step(wildcards) for step in steps))


@cache
def configuration_of_run():
    """Return the checksum of the whole configuration, named by every table and figure of the run.

    It covers its content and that of all external files, except what changes no result.
    """
    said = {key: config[key] for key in config if key not in WITHOUT_EFFECT}
    return origin.checksum([said, [ranks_made_with(row) for row in MATRIX]])


def source_of_task(wildcards):
    """Return the file of a task."""
    if wildcards.task == pair_files.SECTION:
        return catalogue.module_source("tasks", "lexicon_induction")
    return source_of("tasks", wildcards.task)


def files_of_task(wildcards):
    """Return a task's own files for one language."""
    if catalogue.is_parallel(source_of_task(wildcards)):
        return {"aligned": aligned_of(wildcards.task)}
    files = catalogue.files_of(
        source_of_task(wildcards), config["tasks"][wildcards.task], wildcards.language
    )
    return {name: ancient(path) for name, path in files.items()}


def content_of_task(wildcards):
    """Return checksums of the external ones."""
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


# The metrics of each task.
METRICS = {
    task: catalogue.metrics_of(source_of("tasks", task)) for task in config["tasks"]
}


def task_data(wildcards):
    """Return the counts of a task's own files, for each language of the setting."""
    if not catalogue.has_files(source_of_task(wildcards)):
        return []
    return of_languages(rules.task_data.output[0])(wildcards)


# The task that chooses hyperparameters, if it is not the drawn documents.
VALIDATION_TASK = config["validation"]["task"]
if VALIDATION_TASK == DRAWN:
    VALIDATION_TASK = ""
VALIDATION_CODE = (
    [fingerprint(source_of("tasks", VALIDATION_TASK))] if VALIDATION_TASK else []
)


def validation_data(wildcards):
    """Return the counts of that task's own files, for each language of the setting."""
    if not VALIDATION_TASK:
        return []
    task = SimpleNamespace(task=VALIDATION_TASK)
    if not catalogue.has_files(source_of_task(task)):
        return []
    return [
        f"{RESULTS}/tasks/{VALIDATION_TASK}/{language}"
        for language in languages_of(wildcards.setting)
    ]


def validated_with(wildcards):
    """Return settings and checksums of that task."""
    if not VALIDATION_TASK:
        return []
    contents = [
        content_of_task(SimpleNamespace(task=VALIDATION_TASK, language=language))
        for language in languages_of(wildcards.setting)
    ]
    return [config["tasks"][VALIDATION_TASK], contents]


READERS = pair_files.readers(config)
PLACES = {}
for name in READERS:
    try:
        PLACES[name] = pair_files.place(config, name)
    except UserError as error:
        raise WorkflowError(str(error))


def dictionaries_at(wildcards):
    """Return where they are once all are on this machine."""
    place = PLACES[wildcards.task]
    if not place.is_elsewhere:
        return place.where
    return fetched(place.where, rules.dictionaries.output[0].format(**wildcards))


def dictionary_files(wildcards):
    """Return a task's own files of language pairs, or the folder they are fetched to."""
    place = PLACES[wildcards.task]
    if place.is_elsewhere:
        return rules.dictionaries.output[0]
    return [ancient(str(path)) for path in place.here]


def task_tables(wildcards):
    """Return what was made of a task's own files of language pairs."""
    return rules.task_tables.output[0] if PLACES[wildcards.task] else []


def rows_of(scope):
    """Return rows of the matrix: of the whole run, or of `quick`."""
    return FIRST_LOOK if scope == "quick" else MATRIX


def ranks_of(wildcards):
    """Return ranks of the whole run, or of `quick`."""
    rows = rows_of(wildcards.scope)
    return [rules.rank.output[0].format(**row.keys) for row in rows]


# A failed job loses its output, and snakemake does not notice a missing intermediate file while
# what was made of it, under other settings, still exists: so all are requested by name.
def made_of(rows):
    """Return bags, draws, settings, models and ranks of rows of the matrix."""
    patterns = (
        rules.draw.output[0],
        rules.setting.output.trained,
        rules.fit.output[0],
        rules.rank.output[0],
    )
    made = [pattern.format(**row.keys) for row in rows for pattern in patterns]
    return list(dict.fromkeys([*expand(BAGS, language=LANGUAGES), *made]))
