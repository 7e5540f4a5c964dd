"""Finished ranks that a run would replace, as other settings make them.

The step that made a result stands in its about.json, and in those of all that it was made of. What
adds to a run replaces nothing, nor does other code: only keys are compared.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from textwrap import shorten
from typing import Any

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.plan.config import READ_AS_TASKS, Configuration

MAY_REPLACE = "CR5_REPLACE"  # the environment variable that `./run --replace` sets
GROWING = ("languages", "pairs", "seeds", "members", "found")
"""Fields of steps that a run may add to."""
UNCOMPARED = ("code", "contents", "keys", "keys_of_files", "title")
"""Fields of steps that are no keys of the configuration, or follow from keys, or change nothing."""
UNCOMPARED_PATHS = ("rules.max_words",)
"""Those that count for some results alone; fits, which rest on them, have them too."""
PARTS = ("system", "task", "corpus", "validation_task")
"""Fields that hold a named part, whose keys are those of an entry."""
SECTIONS = {
    "rules": "bags",
    "tokens": "bags",
    "training.bags": "bags",
    "training.idf": "weighting.idf",
    "training.term_frequency": "weighting.term_frequency",
    "training.validation": "validation",
    "training.csls_neighbours": "evaluation.csls_neighbours",
    "training.seed": "seed",
    "search": "evaluation",
    "options": "vectors",
    "asked": "evaluation.examples.queries",
    "where": "dictionaries",
    "situation": "settings",
}
"""Where fields of steps are in the configuration, if elsewhere."""
SHOWN = 5  # of systems
WIDTH = 60  # of a value
REMEDY = (
    "--replace makes them anew, and those are lost; to keep them, give this run a folder of its "
    "own (`results`), or its corpus another name (`corpus.name`)."
)

Json = Mapping[str, Any]
Changes = dict[str, tuple[Any, Any]]  # by key: the earlier value, and this run's


def replaced(
    results: str | Path, ranks: Iterable[str], step_of: Callable[[str], Json | None]
) -> dict[str, Changes]:
    """Return what differs for each finished result that would be made anew with other settings.

    Args:
        results: the folder of the run.
        ranks: the paths that the run would make.
        step_of: returns the step of a path in this run, as JSON; None if it has none.

    Results are named by setting and system, such as `joint/cr5`. What they were made of counts
    where it is still there: another version, such as of a run that was ended, is not theirs.
    """

    @cache
    def changes(path: Path, digest: str) -> Changes:
        step = step_of(str(path))
        if step is None:
            return {}
        made = _opened(path)
        earlier = None
        if made and made.digest == digest:
            earlier = made.about.get("step")
        if earlier is None:
            return {}
        return changed(path.relative_to(results).as_posix(), earlier, step)

    by_system: dict[str, Changes] = {}
    for rank in map(Path, sorted(ranks)):
        finished = _opened(rank)
        if finished is None or finished.left_out is not None:
            continue
        differing: Changes = {}
        versions = {finished.about["place"]: finished.digest, **finished.about["of"]}
        for place, digest in versions.items():
            for key, values in changes(Path(results, place), digest).items():
                differing.setdefault(key, values)
        if differing:
            system = "/".join(rank.relative_to(results).parts[1:3])
            by_system.setdefault(system, {}).update(differing)
    return by_system


def changed(place: str, earlier: Json, step: Json) -> Changes:
    """Return which keys differ between the step that made an artefact and that of this run.

    A field that one version of the code lacks is no key of the user's.
    """
    differing: Changes = {}
    for field in step.keys() & earlier.keys():
        differing |= _differences(place, field, earlier[field], step[field])
    return dict(sorted(differing.items()))


def told(by_system: Mapping[str, Changes]) -> str:
    """Say what a run would replace, by what differs, which several systems share."""
    sharing: dict[str, list[str]] = {}
    for system, changes in by_system.items():
        written = []
        for key, (old, new) in changes.items():
            written.append(f"{key}: {_short(old)} -> {_short(new)}")
        sharing.setdefault(", ".join(written), []).append(system)
    lines = ["finished results were made with other settings:"]
    for written, systems in sharing.items():
        shown = systems[:SHOWN]
        if len(systems) > SHOWN:
            shown.append(f"{len(systems) - SHOWN} more")
        lines.append(f"  {', '.join(shown)}: {written}")
    return "\n".join(lines)


def _opened(path: Path) -> Artefact | None:
    """Return an artefact; None if it is not there, or damaged."""
    try:
        return Artefact(path)
    except UserError:
        return None


def _differences(place: str, path: str, old: Any, new: Any) -> Changes:
    """Return what differs at a path of fields of a step, by the name that the key has."""
    field = path.rpartition(".")[2]
    name = _named(place, path)
    if old == new or field in UNCOMPARED or path in UNCOMPARED_PATHS:
        return {}
    if old is None and new == _default(name):
        return {}  # an earlier version had no such key
    if (field in GROWING or field == "codes") and _has_grown(old, new):
        return {}
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return {name: (old, new)}
    differing: Changes = {}
    for key in old.keys() | new.keys():
        differing |= _differences(place, f"{path}.{key}", old.get(key), new.get(key))
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
    are_lists = isinstance(old, list) and isinstance(new, list)
    return are_lists and all(value in new for value in old)


def _named(place: str, path: str) -> str:
    """Return the name in the configuration of a field of the step that made an artefact."""
    for field, section in SECTIONS.items():
        if path == field or path.startswith(f"{field}."):
            return section + path.removeprefix(field)
    field, _, field_of_part = path.partition(".")
    if field == "rerank":
        return f"{_section_of_part(place, 'system')}.rerank"
    if field not in PARTS:
        return path
    section = _section_of_part(place, field)
    key = field_of_part.removeprefix("part").removeprefix(".")
    if not key:
        return section
    return f"{section}.{key}"


def _section_of_part(place: str, field: str) -> str:
    """Return where the entry of a part is, by the place of an artefact and the step's field.

    Places are `models/SETTING/SYSTEM/...`, `ranks/SETTING/SYSTEM/REPETITION/TASK`, and those of
    files of tasks, such as `tasks/TASK/...`.
    """
    if field == "corpus":
        return "corpus"
    if field == "validation_task":
        return "validation.task"
    names = place.split("/")
    if field == "system":
        return f"systems.{names[2]}"
    task = names[1]
    if names[0] == "ranks":
        task = names[4]
    return READ_AS_TASKS.get(task, f"tasks.{task}")


def _short(value: Any) -> str:
    return shorten(json.dumps(value, ensure_ascii=False), WIDTH, placeholder=" ...")
