# Inputs of jobs: files of systems and tasks, and everything requested by name.
from types import SimpleNamespace

from cr5.texts.dictionaries import fetched
from cr5.texts.parallel import fetched_name
from cr5.fitting.seeds import SECTION
from cr5.fitting.options import DOCUMENTS as DRAWN
from cr5.plan.made_with import MadeWith

FETCHED = f"{RESULTS}/fetched/{{file}}"
ADDRESSES = {}  # by the file's local name

try:
    refuse([*files.missing_texts(config), *files.missing(config)])
    MADE_WITH = MadeWith(config, content)
except UserError as error:
    raise WorkflowError(str(error))
READERS, PLACES = files.pair_readers(config), MADE_WITH.dictionaries


def fetched_from(address):
    """Return where a file is fetched to."""
    name = fetched_name(address)
    if (other := ADDRESSES.setdefault(name, address)) != address:
        raise WorkflowError(f"{address} and {other} would both be fetched to {name}")
    return FETCHED.format(file=name)


def on_this_machine(path):
    """Return a file of the user, or where it is fetched to."""
    folder = as_folder(path)
    return fetched_from(path) if folder is None else ancient(str(folder))


include: "words.smk"


def source_of_system(wildcards):
    """Return the file of a system."""
    return source_of("systems", wildcards.system)


def own_module(system):
    """Return the file of a user's own system, which may have a class of models; None of ours."""
    source = source_of("systems", system)
    own = not source.is_relative_to(PACKAGE)
    return os.path.relpath(source) if own else None


def system_files(wildcards):
    """Return a system's own files, of each language and option."""
    languages = languages_of(wildcards.setting)
    found = files.of_system(config, wildcards.system, languages)
    return [on_this_machine(path) for path in found.values()]


# Known before the first job: a process that runs a single job has the whole list too.
for row in MATRIX:
    system_files(SimpleNamespace(**row.keys))


def texts_of_documents(wildcards):
    """Return the documents of each language of the setting, for a system that embeds texts."""
    if "texts" not in configuration.needs(config, wildcards.system):
        return []
    return of_languages(DOCUMENTS)(wildcards)


def fitted_with(wildcards):
    """Return the settings that a model depends on, besides those of its draw."""
    return MADE_WITH.fit(wildcards.setting, wildcards.system, int(wildcards.repetition))


def source_of_task(wildcards):
    """Return the file of a task."""
    return TASKS.source(wildcards.task, READERS[wildcards.task])


def files_of_task(wildcards):
    """Return a task's own files for one language."""
    if configuration.part(config, "tasks", wildcards.task).parallel:
        return {"aligned": aligned_of(wildcards.task)}
    found = files.of_task(config, wildcards.task, wildcards.language)
    return {name: ancient(path) for name, path in found.items()}


def content_of_task(wildcards):
    """Return checksums of the external ones."""
    found = files.of_task(config, wildcards.task, wildcards.language)
    return MADE_WITH.content_of(found.values())


# The metrics of each task.
METRICS = shown.metrics(config)


def task_data(wildcards):
    """Return the counts of a task's own files, for each language of the setting."""
    if not configuration.part(config, "tasks", wildcards.task).reads_files:
        return []
    return of_languages(rules.task_data.output[0])(wildcards)


def validation_task(wildcards):
    """Return the task that chooses a system's hyperparameters; empty for drawn documents."""
    task = configuration.validation_task(config, wildcards.system)
    return "" if task == DRAWN else task


def validation_source(wildcards):
    """Return the file of that task."""
    task = validation_task(wildcards)
    return task and source_of("tasks", task)


def validation_part(wildcards):
    """Return that task itself; None for drawn documents."""
    task = validation_task(wildcards)
    return configuration.part(config, "tasks", task) if task else None


def validation_data(wildcards):
    """Return the counts of its own files, for each language of the setting."""
    found = validation_part(wildcards)
    if not (found and found.reads_files):
        return []
    task, languages = validation_task(wildcards), languages_of(wildcards.setting)
    return expand(rules.task_data.output[0], task=task, language=languages)


def validation_tables(wildcards):
    """Return what was made of the section `dictionary`, and of the task's own, if it has them."""
    found = validation_part(wildcards)
    if not (found and found.of_pairs):
        return []
    names = SECTION, validation_task(wildcards)
    return [rules.task_tables.output[0].format(task=name) for name in names]


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


def ranks_of(rows):
    """Return the ranks of rows of the matrix."""
    return [rules.rank.output[0].format(**row.keys) for row in rows]


# A failed job loses its output, and snakemake does not notice a missing intermediate file while
# what was made of it, under other settings, still exists: so all are requested by name.
def made_of(rows):
    """Return bags, draws, settings, models and ranks of rows of the matrix."""
    patterns = (
        rules.draw.output[0],
        rules.setting.output[0],
        rules.fit.output[0],
        rules.rank.output[0],
    )
    made = [pattern.format(**row.keys) for row in rows for pattern in patterns]
    return list(dict.fromkeys([*expand(BAGS, language=LANGUAGES), *made]))
