"""In what a run differs from the Cr5 paper's setting (Sec. 4.1, 4.2), from its configuration."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from cr5.counts.rules import Rules, Weighting
from cr5.plan.matrix import settings
from cr5.splits.sizes import Sizes

SOURCES = {
    "libreoffice_help": "the text is LibreOffice's help, not Wikipedia",
    "jsonl": "the text is your own, not the paper's Wikipedia",
}
LANGUAGES = ("da", "en", "it", "vi")
# AdvRefine has one model per pair and no setting of its own; the paper tests it on the queries and
# candidates of the joint setting.
ROWS = {
    ("joint", "cr5"): "Cr5 joint",
    ("pairwise", "cr5"): "Cr5 pairwise",
    ("joint", "advrefine"): "AdvRefine",
}
# Table 4 names systems alone.
WORD_ROWS = {"cr5": "Cr5, words", "advrefine": "AdvRefine, words"}
TABLES = {"words": "Table 4"}
DICTIONARY = (
    "the words are those of your dictionaries, not the 1,500 of Dinu et al. (2015) that test each "
    "direction"
)
# The paper's values are the defaults.
SECTIONS = {"bags": Rules(), "weighting": Weighting(), "splits": Sizes()}
NO_DIFFERENCE = ("redraw",)


def unlike(config: Mapping[str, Any], task: str = "documents") -> list[str]:
    """Return what is different, a clause each; nothing where figures may be compared.

    Args:
        config: validated.
        task: whose figures; nobody can know which words a file of dictionaries has.
    """
    found = [SOURCES.get(config["corpus"]["source"], "")]
    words = [DICTIONARY] if table(config, task) == TABLES["words"] else []
    return [*filter(None, found), *words, *_languages(config), *_values(config)]


def table(config: Mapping[str, Any], task: str) -> str:
    """Return which of the paper's tables has the figures of a task."""
    return TABLES.get(config["tasks"].get(task, {}).get("module", task), "Table 1")


def rows(config: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return which row of the paper's tables each figure compares with.

    By facts, not by names: the kind and languages of a setting, the modules of system and task,
    how counts enter.

    Returns:
        setting, system, task and the row's label as printed, where there is one.
    """
    found = [
        (setting.name, system, task, _row(config, setting.kind, system, task))
        for setting in settings(config).values()
        for system in setting.systems
        for task in config["tasks"]
        if config["systems"][system].get("term_frequency") in (None, Weighting().term_frequency)
        and (setting.kind != "joint" or setting.languages == LANGUAGES)
    ]
    return [row for row in found if row[-1]]


def _row(config: Mapping[str, Any], kind: str, system: str, task: str) -> str:
    module, what = (
        config[section][name].get("module", name)
        for section, name in (("systems", system), ("tasks", task))
    )
    if what == "documents":
        return ROWS.get((kind, module), "")
    return WORD_ROWS.get(module, "") if what == "words" else ""


def _languages(config: Mapping[str, Any]) -> Iterator[str]:
    for setting in settings(config).values():
        if setting.kind == "joint" and setting.languages != LANGUAGES:
            yield (
                f"{setting.name} is trained on {', '.join(setting.languages)}, "
                f"not on {', '.join(LANGUAGES)}"
            )


def _values(config: Mapping[str, Any]) -> Iterator[str]:
    for section, paper in SECTIONS.items():
        for key, value in json.loads(json.dumps(asdict(paper))).items():
            given = config[section].get(key)
            if given != value and key not in NO_DIFFERENCE:
                yield f"{section}.{key} is {given}, not {value}"
