"""Finished ranks that a run would replace, as other settings make them.

What a result was made with stands in its about.json, and in those of all that it was made of.
What adds to a run replaces nothing, nor does other code: only keys are compared.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Any

from cr5.base.artefacts import Artefact, plain
from cr5.base.errors import UserError
from cr5.plan.config import READ_AS_TASKS, Configuration

MAY_REPLACE = "CR5_REPLACE"  # the environment variable that `./run --replace` sets
# Settings of a step that a run may add to, and those that are no keys, or follow from keys.
GROWING = ("languages", "pairs", "seeds", "places")
UNCOMPARED = ("own_code", "needs", "files")
TITLE, CODES = "title", "codes"  # keys of entries: one changes no figure, one grows
# Where settings of a step are in the configuration.
SECTIONS = {
    "rules": "bags",
    "tokens": "bags",
    "search": "evaluation",
    "csls_neighbours": "evaluation.csls_neighbours",
    "idf": "weighting.idf",
    "term_frequency": "weighting.term_frequency",
    "where": "dictionaries",
}
SHOWN = 5  # of systems
WIDTH = 60  # of a value
REMEDY = (
    "--replace makes them anew, and those are lost; to keep them, give this run a folder of its "
    "own (`results`), or its corpus another name (`corpus.name`)."
)

Settings = Mapping[str, Any]
Changes = dict[str, tuple[Any, Any]]  # by key: the earlier value, and this run's


def replaced(
    results: str | Path, ranks: Iterable[str], settings_of: Callable[[str], Settings | None]
) -> dict[str, Changes]:
    """Return what differs for each finished result that would be made anew with other settings.

    Args:
        results: the folder of the run.
        ranks: the paths that the run would make.
        settings_of: returns the settings of the step that makes a path; None for a file from
            elsewhere.

    Results are named by setting and system, such as `joint/cr5`. What they were made of counts
    where it is still there: another version, such as of a run that was ended, is not theirs.
    """

    @cache
    def changes(path: Path, digest: str) -> Changes:
        settings = settings_of(str(path))
        made = None if settings is None else _made_with(path, digest)
        if made is None:
            return {}
        return changed(path.relative_to(results).as_posix(), made, plain(settings))

    by_system: dict[str, Changes] = {}
    for rank in map(Path, sorted(ranks)):
        earlier = _finished(rank)
        if earlier is None:
            continue
        differing: Changes = {}
        versions = {earlier.about["place"]: earlier.digest, **earlier.about["of"]}
        for place, digest in versions.items():
            for key, values in changes(Path(results, place), digest).items():
                differing.setdefault(key, values)
        if differing:
            system = "/".join(rank.relative_to(results).parts[1:3])
            by_system.setdefault(system, {}).update(differing)
    return by_system


def changed(place: str, made: Settings, settings: Settings) -> Changes:
    """Return which keys differ between the settings of an artefact and those of this run's step.

    A step's own settings are those of the code: what one version lacks is no key of the user's.
    """
    differing: Changes = {}
    for key in settings.keys() & made.keys():
        differing |= _differences(_named(place, key), made[key], settings[key])
    return dict(sorted(differing.items()))


def told(by_system: Mapping[str, Changes]) -> str:
    """Say what a run would replace, by what differs, which several systems share."""
    sharing: dict[str, list[str]] = {}
    for system, changes in by_system.items():
        written = [f"{key}: {_short(old)} -> {_short(new)}" for key, (old, new) in changes.items()]
        sharing.setdefault(", ".join(written), []).append(system)
    lines = ["finished results were made with other settings:"]
    for written, systems in sharing.items():
        lines.append(f"  {', '.join(_some(systems))}: {written}")
    return "\n".join(lines)


def _made_with(path: Path, digest: str) -> Settings | None:
    """Return what this version of an artefact was made with; None if it is not there."""
    try:
        found = Artefact(path)
    except UserError:
        return None
    return found.about["made_with"] if found.digest == digest else None


def _finished(rank: Path) -> Artefact | None:
    """Return ranks that are there; None if they are not, are damaged, or were left out."""
    try:
        ranks = Artefact(rank)
    except UserError:
        return None
    return ranks if ranks.left_out is None else None


def _differences(name: str, old: Any, new: Any) -> Changes:
    key = name.rpartition(".")[2]
    if old == new or name in UNCOMPARED or key == TITLE:
        return {}
    if old is None and new == _default(name):
        return {}  # an earlier version had no such key
    if (name in GROWING or key == CODES) and _has_grown(old, new):
        return {}
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return {name: (old, new)}
    differing: Changes = {}
    for part in old.keys() | new.keys():
        differing |= _differences(f"{name}.{part}", old.get(part), new.get(part))
    return differing


def _default(name: str) -> Any:
    """Return the default of a key of a section; None if it has none."""
    section, _, key = name.partition(".")
    if section not in Configuration.model_fields:
        return None
    keys = Configuration.model_fields[section].get_default(call_default_factory=True)
    return getattr(keys, key, None)


def _has_grown(old: Any, new: Any) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        return old.items() <= new.items()
    return isinstance(old, list) and isinstance(new, list) and all(x in new for x in old)


def _named(place: str, key: str) -> str:
    """Return the name of a setting in the configuration, by the artefact that is made with it."""
    folder, *names = place.split("/")
    if key != "options":
        return SECTIONS.get(key, key)
    if folder == "models":
        return f"systems.{names[1]}"
    if folder == "ranks":
        return f"tasks.{names[-1]}"
    if folder in ("tasks", "aligned"):
        return READ_AS_TASKS.get(names[0], f"tasks.{names[0]}")
    return folder  # vectors, alignments


def _short(value: Any) -> str:
    return shorten(json.dumps(value, ensure_ascii=False), WIDTH, placeholder=" ...")


def _some(systems: list[str]) -> list[str]:
    if len(systems) <= SHOWN:
        return systems
    return [*systems[:SHOWN], f"{len(systems) - SHOWN} more"]
