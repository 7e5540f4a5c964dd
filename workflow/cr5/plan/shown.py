"""What a report shows of a run, from its configuration."""

import hashlib
import json
from collections.abc import Iterable

from cr5.plan.config import Configuration
from cr5.plan.matrix import Pair, Row, Setting
from cr5.report.facts import CurvePoint, FitFacts, RunFacts
from cr5.report.names import SystemFacts

WITHOUT_EFFECT = ("results", "threads", "memory_mb", "minutes")


def facts(config: Configuration, rows: Iterable[Row]) -> RunFacts:
    """Return what the report of some rows knows of a validated configuration."""
    rows = list(rows)
    fits = [FitFacts(setting=row.setting.name, system=row.system, task=row.task) for row in rows]
    return RunFacts(
        configuration=checksum(config),
        corpus=config.corpus.own_keys.name,
        seed=config.seed,
        repetitions=config.repetitions,
        languages=config.languages,
        main_task=config.main_task,
        tasks=list(dict.fromkeys(row.task for row in rows)),
        fits=list(dict.fromkeys(fits)),  # which have several repetitions
        measure=config.evaluation.measures[0],
        examples=config.evaluation.examples,
        published=[table.of_run(config.plain()) for table in config.published],
        unique_words=config.bags.unique_words,
        points=curve_points(config),
        crowding=crowding_settings(config),
        systems=systems(config),
    )


def checksum(config: Configuration) -> str:
    """Return a short checksum of a configuration, without what changes no result."""
    keys = {key: value for key, value in config.plain().items() if key not in WITHOUT_EFFECT}
    return hashlib.sha256(json.dumps(keys, sort_keys=True).encode()).hexdigest()[:12]


def examples(config: Configuration) -> Row | None:
    """Return the row whose examples are shown: the first of documents, which have titles."""
    if config.tasks[config.main_task].module != "documents":
        return None
    rows = (row for row in config.matrix if row.repetition == 1 and row.task == config.main_task)
    return next(rows)


def systems(config: Configuration) -> dict[str, SystemFacts]:
    """Return what each system says of itself, in the order of the configuration."""
    facts_of = {}
    for name, entry in config.systems.items():
        facts_of[name] = SystemFacts(
            title=entry.title,
            reference=entry.part.reference,
            colour=entry.part.colour,
            module=entry.source.stem,
            maps_vectors="vectors" in entry.part.needs,
        )
    return facts_of


def metrics(config: Configuration) -> dict[str, list[str]]:
    """Return the metrics of each task: the configuration's, or those that it comes with."""
    configured = config.evaluation.metrics
    return {
        task: list(configured.get(task) or entry.part.metrics)
        for task, entry in config.tasks.items()
    }


def curve_points(config: Configuration) -> list[CurvePoint]:
    """Return the points of all curves over the number of training concepts of a pair.

    A curve has several numbers; its last point is a setting of the same languages without a cut, if
    there is one.
    """
    settings = list(config.setting_by_name.values())
    cut_settings: dict[tuple[str, Pair], list[Setting]] = {}  # of each curve: a series and a pair
    for setting in settings:
        if setting.cut:
            cut_settings.setdefault((setting.series, setting.pairs[0]), []).append(setting)
    points = []
    for (series, pair), on_curve in cut_settings.items():
        if len(on_curve) < 2:
            continue
        languages = on_curve[0].languages
        uncut = [
            setting for setting in settings if setting.languages == languages and not setting.cut
        ]
        on_curve += uncut[:1]
        for query_language, target_language in (pair, pair[::-1]):
            for setting in on_curve:
                point = CurvePoint(
                    series=series,
                    query_language=query_language,
                    target_language=target_language,
                    setting=setting.name,
                )
                points.append(point)
    return points


def crowding_settings(config: Configuration) -> list[str]:
    """Return the settings that would crowd the figures without curves; never all of them."""
    names = {point.setting for point in curve_points(config)}
    settings = config.setting_by_name.values()
    crowding = [setting.name for setting in settings if setting.cut and setting.name in names]
    if len(crowding) == len(settings):
        return []
    return crowding
