# The tables and figures of a run.
from cr5.plan import shown

MEASURES = config["evaluation"]["measures"]
try:
    SHOWN = shown.examples(config, MAIN)
except UserError as error:
    raise WorkflowError(str(error))
TABLES_SHOWN = shown.tables(config)
HAS_TITLES = any(x.kind == "table2" for x in TABLES_SHOWN)
FIGURES = shown.figures(config)
FITS = [row for row in MATRIX if row.task == row.setting.tasks[0]]
REPETITIONS = range(1, config["repetitions"] + 1)
TRAINED = {
    rules.setting.output.trained.format(setting=name, repetition=repetition): {
        "setting": name,
        "series": setting.series,
        "kind": setting.kind,
        "repetition": repetition,
    }
    for name, setting in SETTINGS.items()
    for repetition in REPETITIONS
}

TABLE = (".html", ".csv", ".md", ".tex", ".json")
FIGURE = (".svg", ".pdf", ".png", ".json")


def written(items, endings):
    """Return all files of tables or figures."""
    return [path for x in items for path in multiext(f"{RESULTS}/{x.stem}", *endings)]


def files_of_tasks(tasks):
    """Return (task, file) of what was made of these tasks' files and aligned sentences."""
    tables = [
        (x, rules.task_tables.output[0].format(task=x)) for x in tasks if PLACES[x]
    ]
    return tables, [(x, path) for x in tasks for path in aligned_of(x)]


def owners(tasks):
    """Return the task of each file, by name of the input."""
    tables, aligned = files_of_tasks(tasks)
    return {"tables_of": [x for x, _ in tables], "aligned_of": [x for x, _ in aligned]}
