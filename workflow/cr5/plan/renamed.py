"""Renamed keys of the configuration: old names are understood for one release.

Each table lists the names that a release changed; an entry is removed with the next release.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from cr5.base.errors import UserError

MODULES: dict[str, dict[str, str]] = {
    "systems": {
        "untranslated": "lexical_overlap",
        "strings": "prefix_overlap",
        "similarity": "vecmap_unsupervised",
        "self_learning": "vecmap_self_learning",
        "multistep": "vecmap_supervised",
        "cca": "word_cca",
        "released": "pretrained",
    },
    "tasks": {"judged": "ad_hoc", "words": "lexicon_induction"},
}
"""By section: modules, the old name and the new one. A user's name for one stays as it is."""

KEYS = {
    ("dictionary", "skip"): "offset",
    ("dictionary", "take"): "limit",
    ("settings", "*", "through"): "via",
    ("systems", "word_by_word", "through"): "via",
    ("tasks", "ad_hoc", "judgements"): "qrels",
    ("tasks", "lexicon_induction", "skip"): "offset",
    ("tasks", "lexicon_induction", "take"): "limit",
}
"""Of systems and tasks by the new name of their module; `*` stands for any name."""

VALUES = {
    ("corpus", "paragraphs", "apart"): "comparable",
    ("corpus", "source", "jsonl"): "files",
    ("corpus", "source", "tsv"): "files",
}
"""The last part of a place is the old value."""

Place = tuple[str, ...]


def understood(config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return a configuration with this release's names, and a sentence for each old one.

    Args:
        config: as given; mistakes in it are left alone.

    Raises:
        UserError: a key is given by both its old and its new name.
    """
    said: list[str] = []
    return _mapping(config, (), (), said), said


def _mapping(section: Mapping[str, Any], place: Place, known_as: Place, said: list[str]) -> dict:
    """Translate a section.

    Args:
        section: a mapping of the configuration.
        place: its place, as the user writes it.
        known_as: the same, with systems and tasks named by their modules.
        said: list to which this section's sentences are added.
    """
    found = {}
    for old, value in section.items():
        key = _first(KEYS, known_as, old) or old
        if key != old and key in section:
            raise UserError(
                f"The configuration has a key twice: {_written(place)}.{old} is now called {key}, "
                f"and {key} is given, too; remove {old}."
            )
        if key != old:
            said.append(f"{_written((*place, old))} is now called {key}; write {key}")
        at, known = (*place, key), (*known_as, key)
        if place in (("systems",), ("tasks",)) and isinstance(value, Mapping | None):
            value = _with_module(value or {}, at, said)
            known = (*known_as, value.get("module", key))
        if isinstance(value, Mapping):
            value = _mapping(value, at, known, said)
        elif new := isinstance(value, str) and _first(VALUES, known, value):
            said.append(f"{_written(at)}: {value} is now called {new}; write {new}")
            value = new
        found[key] = value
    return found


def _with_module(options: Mapping[str, Any], place: Place, said: list[str]) -> Mapping[str, Any]:
    """Give the module of a system or task its new name, if it has one."""
    section, name = place
    old = options.get("module", name)
    new = MODULES[section].get(old) if isinstance(old, str) else None
    if not new:
        return options
    said.append(
        f"{_written(place)}: the module {old} is now called {new}; write {name}: "
        f"{{module: {new}}}, or {new} as its name, too"
    )
    return {**options, "module": new}


def _first(table: Mapping[Place, str], place: Place, last: str) -> str | None:
    return next((table[x] for x in _patterns(place, last) if x in table), None)


def _patterns(place: Place, last: str) -> Iterator[Place]:
    yield (*place, last)
    if len(place) > 1:
        yield (place[0], "*", *place[2:], last)


def _written(place: Place) -> str:
    return ".".join(place)
