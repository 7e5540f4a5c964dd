"""How a run's configuration differs from the Cr5 paper's setting (Sec. 4.1, 4.2)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cr5.counts.rules import Rules, Weighting
from cr5.fitting.options import VectorOptions
from cr5.plan.config import needs, source, validation_task
from cr5.plan.matrix import Setting, settings
from cr5.plan.names import module_of
from cr5.plan.protocols import SENTENCES, WACKY, differences, is_named, otherwise
from cr5.splits.options import Sizes

PAPERS = "Wikipedia"
LANGUAGES = ("da", "en", "it", "vi")
# AdvRefine has one model per pair and no setting of its own; the paper tests it on the queries and
# candidates of the joint setting.
ROWS = {
    ("joint", "cr5"): "Cr5 joint",
    ("pairwise", "cr5"): "Cr5 pairwise",
    ("joint", "advrefine"): "AdvRefine",
    ("low_resource", "cr5"): "Cr5 pairwise low-resource",
    ("transitive", "cr5"): "Cr5 transitive",
}
# Tables 3 and 4 name only systems: they do not say what Cr5 was trained on.
OTHER_ROWS = {"cr5": "Cr5", "advrefine": "AdvRefine"}
SEARCHED = {"sentences": "sentences", "lexicon_induction": "words"}
TABLES = {"documents": "Table 1", "sentences": "Table 3", "lexicon_induction": "Table 4"}
OF_TASK = {
    "documents": {("task", "min_words"): 1},
    "sentences": SENTENCES | {("task", "idf"): ("own", "own_tfidf")},
    "lexicon_induction": {key: x for key, x in WACKY.items() if key[0] == "task"},
}
LOW_RESOURCE = 10_000  # training concepts
TRANSITIVE = ("da", "en", "vi")
# The paper's values are the defaults.
VALUES = {
    (section, key): value
    for section, paper in {"bags": Rules(), "weighting": Weighting(), "splits": Sizes()}.items()
    for key, value in json.loads(json.dumps(paper.model_dump())).items()
    if key not in ("redraw", "tokens")  # which the paper does not say
} | {
    # readings of the text, and of the authors' code
    ("splits", "held_out"): ("paper", "code"),
    ("splits", "candidates_reading"): ("paper", "code"),
    ("evaluation", "csls_neighbours"): 10,
    ("evaluation", "csls_neighbourhood"): ("candidates", "queries"),
}
# Of systems that begin with word vectors; these are trained on the text, not given.
VECTORS = {("vectors", key): value for key, value in VectorOptions().model_dump().items()}
VECTORS = {key: value for key, value in VECTORS.items() if key[1] != "threads"}
VECTORS |= {("channels", "train_vectors"): (None, False)}


def unlike(config: Mapping[str, Any], task: str = "documents") -> list[str]:
    """Return the differences, a clause each; empty if figures may be compared.

    Args:
        config: validated.
        task: the task of the figures.
    """
    text = source(config).name
    found = [] if text == PAPERS else [f"the text is {text}, not {PAPERS}"]
    cut = [_cut(setting) for setting in shown(config) if task in setting.tasks]
    found += [*_languages(config, task), *cut, *differences(config, task, VALUES)]
    return [*filter(None, found), *_task(config, task)]


def unlike_of_system(config: Mapping[str, Any], system: str, task: str) -> list[str]:
    """Return the differences in what a system learns from and is chosen by, a clause each."""
    what = module_of(config, "tasks", task)
    values: dict[tuple[str, str], Any] = {}
    if "vectors" in needs(config, system):
        values = {("vectors", "path"): None} if "path" in config["vectors"] else VECTORS
    elif what == "documents":
        values = {("task", "idf"): "corpus"}
    found = list(differences(config, task, values))
    chosen = validation_task(config, system)
    by = module_of(config, "tasks", chosen)
    if module_of(config, "systems", system) == "cr5" and (by != what or _other_idf(config, chosen)):
        found.append(f"lambda is chosen by {chosen}, not by {what}")
    return found


def table(config: Mapping[str, Any], task: str) -> str:
    """Return the paper's table that has the figures of a task."""
    return TABLES.get(module_of(config, "tasks", task), "Table 1")


def rows(config: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return the row of the paper's tables that each figure compares with.

    Facts decide, not names: the kind and languages of a setting, the modules of system and task,
    how counts enter.

    Returns:
        setting, system, task and the row's label, of those that have one.
    """
    found = [
        (setting.name, system, task, _row(config, setting.kind, system, task))
        for setting in shown(config)
        for system in setting.systems
        for task in setting.tasks
        if config["systems"][system].get("term_frequency") in (None, Weighting().term_frequency)
    ]
    return [row for row in found if row[-1]]


def _row(config: Mapping[str, Any], kind: str, system: str, task: str) -> str:
    module, what = module_of(config, "systems", system), module_of(config, "tasks", task)
    if what == "documents":
        weighs_words = "vectors" in needs(config, system)
        others = _other_idf(config, task) and not weighs_words
        return "" if others else ROWS.get((kind, module), "")
    has_row = what in SEARCHED and module in OTHER_ROWS
    return f"{OTHER_ROWS[module]}, {SEARCHED[what]}" if has_row else ""


def _other_idf(config: Mapping[str, Any], task: str) -> bool:
    """Return whether documents have MUSE's weights of words, which are not Cr5's."""
    found = module_of(config, "tasks", task) == "documents"
    return found and config["tasks"].get(task, {}).get("idf", "corpus") != "corpus"


def _task(config: Mapping[str, Any], task: str) -> Iterator[str]:
    """Yield the differences in what is searched."""
    what = module_of(config, "tasks", task)
    data = {"sentences": "Europarl's", "lexicon_induction": "the 1,500 of Dinu et al. (2015)"}
    if what in SEARCHED and not is_named(config, task, "cr5"):
        yield f"the {SEARCHED[what]} are not {data[what]} {otherwise(task, 'cr5')}"
    yield from differences(config, task, OF_TASK.get(what, {}))


def shown(config: Mapping[str, Any]) -> list[Setting]:
    """Return the settings that are in the paper; of several numbers of concepts, the nearest."""
    found = settings(config).values()
    return [setting for setting in found if _is_the_papers(setting, found)]


def _is_the_papers(setting: Setting, others: Iterable[Setting]) -> bool:
    if setting.kind == "low_resource":
        numbers = [x.cut.concepts for x in others if (x.series, x.pairs) == _curve(setting)]
        nearest = min(numbers, key=lambda n: abs(n - LOW_RESOURCE))
        return (setting.languages, setting.cut.concepts) == (setting.cut.pair, nearest)
    return setting.languages == {"joint": LANGUAGES, "transitive": TRANSITIVE}.get(
        setting.kind, setting.languages
    )


def _curve(setting: Setting) -> tuple[str, tuple]:
    return setting.series, setting.pairs


def _cut(setting: Setting) -> str:
    """Say how a cut differs from the paper's; empty if it does not."""
    if setting.kind == "low_resource" and setting.cut.concepts != LOW_RESOURCE:
        return f"{setting.name} trains on {setting.cut.concepts} concepts, not on {LOW_RESOURCE}"
    if setting.kind == "transitive" and setting.cut.shared != "drop":
        both = " and ".join(setting.cut.pair)
        return f"in {setting.name}, concepts of both {both} train in one of them, not in none"
    return ""


def _languages(config: Mapping[str, Any], task: str) -> Iterator[str]:
    for setting in settings(config).values():
        if task in setting.tasks and setting.kind == "joint" and setting.languages != LANGUAGES:
            yield (
                f"{setting.name} is trained on {', '.join(setting.languages)}, "
                f"not on {', '.join(LANGUAGES)}"
            )
