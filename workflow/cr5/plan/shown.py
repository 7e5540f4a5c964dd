"""What a report shows of a run, from its configuration."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from cr5.plan.config import Configuration
from cr5.plan.matrix import Row

WITHOUT_EFFECT = ("results", "threads", "memory_mb", "minutes")


def facts(config: Configuration, rows: Iterable[Row]) -> dict[str, Any]:
    """Return what the report of some rows knows of a validated configuration, see `report.run`."""
    evaluation = config.evaluation
    rows = list(rows)
    fits = [(row.setting.name, row.system, row.task) for row in rows]
    return {
        "configuration": checksum(config),
        "corpus": config.corpus.own.name,
        "seed": config.seed,
        "repetitions": config.repetitions,
        "languages": config.languages,
        "main": config.main_task,
        "tasks": list(dict.fromkeys(row.task for row in rows)),
        "fits": list(dict.fromkeys(fits)),
        "measure": evaluation.measures[0],
        "examples": evaluation.examples.model_dump(mode="json", exclude_none=True),
        "published": [x.of_run(config.plain()) for x in config.published],
        "unique_words": list(config.bags.unique_words),
        "points": add_data(config),
        "crowding": drawn_there(config),
        "systems": systems(config),
    }


def checksum(config: Configuration) -> str:
    """Return a short checksum of a configuration, without what changes no result."""
    said = {key: value for key, value in config.plain().items() if key not in WITHOUT_EFFECT}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:12]


def examples(config: Configuration) -> Row | None:
    """Return the row whose examples are shown: the first of documents, which have titles."""
    main = config.main_task
    found = (row for row in config.matrix if row.repetition == 1 and row.task == main)
    return next(found) if config.tasks[main].module == "documents" else None


def systems(config: Configuration) -> dict[str, dict[str, Any]]:
    """Return what each system says of itself, in the order of the configuration.

    See `report.names`.
    """
    return {
        name: {
            "title": entry.title,
            "reference": entry.part.reference,
            "colour": entry.part.colour,
            "module": entry.source.stem,
            "maps_vectors": "vectors" in entry.part.needs,
        }
        for name, entry in config.systems.items()
    }


def metrics(config: Configuration) -> dict[str, list[str]]:
    """Return the metrics of each task: the configuration's, or those that it comes with."""
    given = config.evaluation.metrics
    return {x: list(given.get(x) or entry.part.metrics) for x, entry in config.tasks.items()}


def add_data(config: Configuration) -> list[dict[str, Any]]:
    """Return the points of all curves over the number of training concepts of a pair.

    A point is a setting on the curve of a series and a pair. A curve has several numbers; its last
    point is a setting of the same languages without a cut, if there is one.
    """
    points, found = [], list(config.trained.values())
    for series, pair in dict.fromkeys((x.series, x.pairs[0]) for x in found if x.cut):
        cut = [x for x in found if x.cut and (x.series, x.pairs) == (series, (pair,))]
        whole = [x for x in found if not x.cut and x.languages == cut[0].languages]
        of = [*cut, *whole[:1]] if len(cut) > 1 else []
        for query, target in (pair, pair[::-1]):
            place = {"series": series, "query": query, "target": target}
            points += [{**place, "setting": x.name} for x in of]
    return points


def drawn_there(config: Configuration) -> list[str]:
    """Return the settings that would crowd the other figures; never all of them."""
    points = {point["setting"] for point in add_data(config)}
    found = config.trained.values()
    cut = [x.name for x in found if x.cut and x.name in points]
    return cut if len(cut) < len(found) else []
