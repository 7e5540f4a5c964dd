"""What a report shows of a run, from its configuration."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from cr5.base.catalogue import SYSTEMS
from cr5.plan.config import needs, part
from cr5.plan.cross_checks import title_of
from cr5.plan.matrix import Row, main_task, matrix, settings
from cr5.plan.names import module_of

WITHOUT_EFFECT = ("results", "threads", "memory_mb", "minutes")


def facts(config: Mapping[str, Any], rows: Iterable[Row]) -> dict[str, Any]:
    """Return what the report of some rows knows of a validated configuration, see `report.run`."""
    tasks, evaluation = list(config["tasks"]), config["evaluation"]
    return {
        "configuration": checksum(config),
        "corpus": config["corpus"]["name"],
        "seed": config["seed"],
        "repetitions": config["repetitions"],
        "languages": config["languages"],
        "main": main_task(config),
        "tasks": list(dict.fromkeys(row.task for row in rows)),
        "measure": evaluation["measures"][0],
        "measures": evaluation["measures"],
        "examples": evaluation["examples"],
        "published": config["published"],
        "unique_words": config["bags"]["unique_words"],
        "points": add_data(config),
        "crowding": drawn_there(config),
        "systems": systems(config),
        "seeded": [x for x in config["systems"] if {"seeds", "vectors"} <= {*needs(config, x)}],
        "translated": [x for x in tasks if module_of(config, "tasks", x) == "lexicon_induction"],
    }


def checksum(config: Mapping[str, Any]) -> str:
    """Return a short checksum of a configuration, without what changes no result."""
    said = {key: value for key, value in config.items() if key not in WITHOUT_EFFECT}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]


def examples(config: Mapping[str, Any], task: str) -> Row:
    """Return the row whose examples are shown: the first of a task of documents."""
    return next(row for row in matrix(config) if row.repetition == 1 and row.task == task)


def has_titles(config: Mapping[str, Any]) -> bool:
    """Return whether the candidates of the main task have titles."""
    return module_of(config, "tasks", main_task(config)) == "documents"


def systems(config: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what each system says of itself, in the order of the configuration.

    See `report.names`.
    """
    found = {}
    for name, keys in config["systems"].items():
        kind = SYSTEMS.kind(name, keys)
        found[name] = {
            "title": title_of(name, kind.title, keys),
            "reference": kind.reference,
            "colour": kind.colour,
            "module": SYSTEMS.source(name, keys).stem,
            "maps_vectors": "vectors" in needs(config, name),
        }
    return found


def metrics(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the metrics of each task: the configuration's, or those that it comes with."""
    given = config["evaluation"]["metrics"]
    return {
        task: given.get(task) or list(part(config, "tasks", task).metrics)
        for task in config["tasks"]
    }


def add_data(config: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the points of all curves over the number of training concepts of a pair.

    A point is a setting on the curve of a series and a pair. A curve has several numbers; its last
    point is a setting of the same languages without a cut, if there is one.
    """
    points, found = [], list(settings(config).values())
    for series, pair in dict.fromkeys((x.series, x.pairs[0]) for x in found if x.cut):
        cut = [x for x in found if x.cut and (x.series, x.pairs) == (series, (pair,))]
        whole = [x for x in found if not x.cut and x.languages == cut[0].languages]
        of = [*cut, *whole[:1]] if len(cut) > 1 else []
        points += [{"series": series, "pair": pair, "setting": x.name} for x in of]
    return points


def drawn_there(config: Mapping[str, Any]) -> list[str]:
    """Return the settings that would crowd the other figures; never all of them."""
    points = {point["setting"] for point in add_data(config)}
    found = settings(config).values()
    cut = [x.name for x in found if x.cut and x.name in points]
    return cut if len(cut) < len(found) else []
