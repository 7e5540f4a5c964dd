"""In what a run differs from the Cr5 paper's setting (Sec. 4.1, 4.2), from its configuration."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from cr5.counts.rules import Rules, Weighting
from cr5.plan.matrix import Setting, settings
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
# Table 3 does not say on which languages Cr5 was trained.
SENTENCE_ROWS = {"cr5": "Table 3: Cr5", "advrefine": "Table 3: AdvRefine"}
# Of a task `sentences`.
SENTENCE_VALUES = {"min_words": 1, "queries": 2000, "candidates": 200_000}
# The paper's values are the defaults.
SECTIONS = {"bags": Rules(), "weighting": Weighting(), "splits": Sizes()}
NO_DIFFERENCE = ("redraw",)


def unlike(config: Mapping[str, Any], task: str = "documents") -> list[str]:
    """Return what is different, a clause each; nothing where figures may be compared.

    Args:
        config: validated.
        task: whose figures.
    """
    found = [SOURCES.get(config["corpus"]["source"], "")]
    sentences = _sentences(config["tasks"][task]) if _is_of_sentences(config, task) else []
    return [*filter(None, found), *_languages(config), *_values(config), *sentences]


def table_of(config: Mapping[str, Any], task: str) -> str:
    """Return which table of the paper has the figures of a task."""
    return "Table 3" if _is_of_sentences(config, task) else "Table 1"


def rows(config: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """Return which row of the paper's Tables 1 and 3 each figure compares with.

    By facts, not by names: the kind and languages of a setting, the modules of system and task.

    Returns:
        setting, system, task and the row's label, where there is one.
    """
    found = [
        (setting.name, system, task, _row(config, setting, system, task))
        for setting in settings(config).values()
        for system in setting.systems
        for task in config["tasks"]
    ]
    return [row for row in found if row[-1]]


def _row(config: Mapping[str, Any], setting: Setting, system: str, task: str) -> str:
    module = config["systems"][system].get("module", system)
    if _is_of_sentences(config, task):
        return SENTENCE_ROWS.get(module, "")
    is_other = setting.kind == "joint" and setting.languages != LANGUAGES
    if is_other or config["tasks"][task].get("module", task) != "documents":
        return ""
    return ROWS.get((setting.kind, module), "")


def _is_of_sentences(config: Mapping[str, Any], task: str) -> bool:
    return config["tasks"].get(task, {}).get("module", task) == "sentences"


def _sentences(options: Mapping[str, Any]) -> Iterator[str]:
    if "europarl" not in (options["address"] + options["path"]).lower():
        yield "the sentences are not Europarl's"
    for key, paper in SENTENCE_VALUES.items():
        if options[key] != paper:
            yield f"{key} is {options[key]}, not {paper}"


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
