"""What Table 2 shows: settings, system and named queries."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cr5.plan.matrix import Row, matrix
from cr5.plan.mistakes import listed, unexpected, unknown

PLACE = "evaluation.examples."


def shown(config: Mapping[str, Any], task: str) -> list[Row]:
    """Return the rows whose examples are shown, from the first repetition.

    Args:
        config: validated.
        task: a task of documents.

    Returns:
        One row per setting: the named one, or all of a named series; the first setting if none is
        named. The system is the one named, or the first of the setting.

    Raises:
        UserError: an unknown name, a system that is not fitted there, or a query named in an
            invalid form.
    """
    options = config["evaluation"]["examples"]
    rows = [row for row in matrix(config) if row.repetition == 1 and row.task == task]
    _raise([*_unknown(options, rows), *_misnamed(options["named"], config["languages"])])
    setting, system = options.get("setting"), options.get("system")
    found = [row for row in rows if setting in (None, row.setting.name, row.setting.series)]
    found = [row for row in found if system in (None, row.system)]
    if not found:
        there = dict.fromkeys(row.setting.name for row in rows if row.system == system)
        _raise([f"{PLACE}system: {system} is not fitted in {setting}, only in {', '.join(there)}"])
    first = {row.setting.name: row for row in reversed(found)}
    return [row for row in found if first[row.setting.name] is row][: None if setting else 1]


def _unknown(options: Mapping[str, Any], rows: Sequence[Row]) -> Iterator[str]:
    settings = dict.fromkeys(x for row in rows for x in (row.setting.name, row.setting.series))
    known = {"setting": settings, "system": dict.fromkeys(row.system for row in rows)}
    for key, names in known.items():
        if options.get(key, next(iter(names))) not in names:
            yield unknown(f"{PLACE}{key}: ", options[key], names)


def _misnamed(named: Sequence[Mapping[str, str]], languages: Sequence[str]) -> Iterator[str]:
    for number, query in enumerate(named):
        place = f"{PLACE}named[{number}]"
        if set(query) not in ({"language", "title"}, {"language", "concept"}):
            yield unexpected(place, "a language, and a title or a concept", dict(query))
        elif (language := query["language"]) not in languages:
            yield unexpected(f"{place}.language", f"one of {', '.join(languages)}", language)


def _raise(mistakes: Sequence[str]) -> None:
    if mistakes:
        raise listed(mistakes)
