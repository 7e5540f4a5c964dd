"""The configuration of a run that would do what a call of `cr5.fit` does."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cr5.base.catalogue import SYSTEMS
from cr5.base.errors import UserError
from cr5.base.parts import System
from cr5.fitting.options import DOCUMENTS
from cr5.fitting.seeds import DICTIONARY
from cr5.from_texts.forms import Documents
from cr5.plan import files
from cr5.plan.config import Configuration, validated
from cr5.plan.words import MadeAlignments

SECTIONS = ("bags", "weighting", "splits", "vectors", "validation", "dictionary", "alignments")
SECTIONS += ("evaluation", "seed", "threads")
# Nobody's texts are dropped for their length, and all concepts but validation queries train.
UNIQUE_WORDS = (1, 1_000_000)
SHARES = {"test": 0.0, "candidates": 0.0}
FETCHED = "is fetched by the workflow (./run): fetch it, and give the file"


def completed(
    found: Documents, system: str | Path | System, options: Mapping[str, Any]
) -> Configuration:
    """Return the whole configuration, with all defaults; UserError lists every mistake."""
    if len(found) < 2:
        there = ", ".join(map(repr, found)) or "none"
        raise UserError(f"texts: expected some in two or more languages, found {there}")
    sections = {key: value for key, value in options.items() if key in SECTIONS}
    own = {key: value for key, value in options.items() if key not in SECTIONS}
    if isinstance(system, System):
        own = {**system.model_dump(mode="json"), **own}
        name, system = _named(type(system))
    elif isinstance(system, str | Path):
        system = str(system)
        name = Path(system).stem if system.endswith(".py") else system
    else:
        raise UserError(f"system: expected a system, its name or path, found {system!r}")
    is_own = system.endswith(".py")
    config = {
        "corpus": {"name": "texts", "source": "files", "path": "{language}.jsonl"},
        "languages": list(found),
        "systems": {name: {**own, **({"module": system} if is_own else {})}},
        **sections,
    }
    if isinstance(config.get("threads"), int):
        config["threads"] = {"fit": config["threads"]}
    checked = validated(config)
    _check_possible(checked)
    rules = {"min_documents": least(found), "unique_words": UNIQUE_WORDS}
    bags = checked.bags.model_copy(update=_left_open(rules, sections.get("bags")))
    shares = _left_open(SHARES, (sections.get("splits") or {}).get("max_share"))
    shares = {"max_share": checked.splits.max_share | shares}
    splits = checked.splits.model_copy(update=shares)
    return checked.model_copy(update={"bags": bags, "splits": splits})


def _left_open(ours: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """Those of our values in whose place none is given."""
    return {key: value for key, value in ours.items() if key not in (given or {})}


def _named(kind: type[System]) -> tuple[str, str]:
    """Return the name of an entry for a system of a class, and its module's name or path."""
    path = Path(getattr(sys.modules[kind.__module__], "__file__", None) or "")
    if path.is_relative_to(SYSTEMS.folder):
        [name] = [x for x in SYSTEMS.known() if x.replace("_", "") == kind.__name__.lower()]
        return name, name
    if not path.is_file():
        raise UserError(f"system: {kind.__name__} must be in a file, so that it can be found again")
    return kind.__name__, str(path)


def least(found: Documents) -> int:
    """Return in how many documents a word must be: three, or fewer in small collections."""
    fewest = min(map(len, found.values()), default=0)
    return 3 if fewest >= 1000 else 2 if fewest >= 100 else 1


def _check_possible(config: Configuration) -> None:
    if config.validation.task != DOCUMENTS:
        raise UserError(
            f"validation.task: expected {DOCUMENTS}; other tasks have files of their "
            "own, which the workflow reads (./run)"
        )
    if isinstance(config.alignments, MadeAlignments):
        raise UserError("alignments: give `path`; the workflow makes them of parallel text (./run)")
    if config.dictionary and (place := files.pair_files(config, DICTIONARY)).is_elsewhere:
        raise UserError(f"dictionary.dictionaries: {place.where} {FETCHED}")
    for path in files.elsewhere(config):
        raise UserError(f"{path} {FETCHED}")
