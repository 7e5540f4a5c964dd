"""What a run's report is made from, read once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base.artefacts import Artefact
from cr5.counts import bags, documents
from cr5.models import store
from cr5.report import published
from cr5.report.names import Systems
from cr5.scores import collected, ranks
from cr5.scores.summary import ALL, MEAN
from cr5.splits import settings
from cr5.tasks import texts
from cr5.texts import aligned

FIT = ["setting", "series", "kind", "system", "repetition"]
GRID = [*FIT, "fit", "option", "value", "criterion", "query", "target", "score", "chosen"]


@dataclass(frozen=True)
class Run:
    """The frames of a run, and what its configuration says of them.

    Attributes:
        facts: see `plan.shown.facts`.
        main: the task that the main table and the figures show.
        systems: how they are named.
        folder: of the tables of scores.
        scores, means: over repetitions, of each direction and of all directions.
        curves: Success@k of the main task, likewise, with k.
        tests: between systems.
        left_out: what the data allow no figures for.
        compared: published figures beside ours, see `published.compared`.
        nearest: the nearest documents of each query of the system that is shown, by its first
            measure; empty if it was left out, or the task has no documents.
        titles: by language and concept.
        statistics: a row per language.
        paragraphs: what became of those of each language, if documents are made of any.
        pairs: what languages share in each setting and repetition.
        trained: what trains in each setting, in the first repetition.
        coverage: by task what became of the entries of its dictionaries.
        sentences: by task what became of the lines of its parallel text.
        grids: all validation results: a row per fit of a grid (numbered from 1 in the order tried),
            option and directed pair, and one without a pair for the mean, which decides.
        dimensions: the number of dimensions of each fit that reports one, chosen or given.
        warnings: of fits, once for each system and setting.
    """

    facts: Mapping[str, Any]
    main: str
    systems: Systems
    folder: Path
    scores: pd.DataFrame
    means: pd.DataFrame
    curves: pd.DataFrame
    tests: pd.DataFrame
    left_out: pd.DataFrame
    compared: pd.DataFrame
    nearest: pd.DataFrame
    titles: Mapping[str, pd.Series]
    statistics: pd.DataFrame
    paragraphs: Sequence[Mapping]
    pairs: pd.DataFrame
    trained: Mapping[str, pd.DataFrame]
    coverage: Mapping[str, pd.DataFrame]
    sentences: Mapping[str, pd.DataFrame]
    grids: pd.DataFrame
    dimensions: pd.DataFrame
    warnings: Sequence[str]


def read(files: Mapping[str, Any], facts: Mapping[str, Any]) -> Run:
    """Read all files of a run.

    Args:
        files: paths by name; of scores, the folder of all tables.
        facts: see `plan.shown.facts`.

    Raises:
        UserError: a file is damaged.
    """
    names = ("scores", "curves", "significance", "left_out")
    every, curves, tests, left_out = (collected.read(files["scores"], x) for x in names)
    every = every[every["repetition"] == MEAN]
    curves = curves[curves["task"] == facts["main"]]
    pairs = pd.concat(map(settings.pairs_of, files["trained"]), ignore_index=True)
    found = [documents.notes_of(path) for path in files["documents"]]
    kinds = pairs.drop_duplicates("setting").set_index("setting")[["series", "kind"]]
    fits = [
        ({"setting": x["setting"], **kinds.loc[x["setting"]], **x}, x.get("fit", {}))
        for x in map(store.about, files["models"])
    ]
    grids = [{**_named(x), **row} for x, report in fits for row in _tried(report)]
    dimensions = [
        {**_named(x), "dimension": report.get("dimension", report.get("rank"))}
        for x, report in fits
        if {"dimension", "rank"} & report.keys()
    ]
    systems = Systems(facts["systems"])
    warnings = [
        f"{systems.curve(x['system'], x['setting'])}: {warning}"
        for x, report in fits
        for warning in report.get("warnings", [])
    ]
    return Run(
        facts,
        facts["main"],
        systems,
        Path(files["scores"]),
        scores=every[every["query"] != ALL],
        means=every[every["query"] == ALL].reset_index(drop=True),
        curves=curves.assign(k=curves["metric"].str.removeprefix("Success@").astype(int)),
        tests=tests,
        left_out=left_out,
        compared=published.compared(facts["published"], every, pairs),
        nearest=_nearest(files["ranks"], facts["measure"]),
        titles={
            x: bags.read_documents(path, x, ["concept", "title"]).set_index("concept")["title"]
            for x, path in zip(facts["languages"], files["bags"], strict=True)
        },
        statistics=pd.DataFrame([bags.read_summary(path) for path in files["bags"]]),
        paragraphs=[each["paragraphs"] for each in found if "paragraphs" in each],
        pairs=pairs,
        trained={
            name: settings.load(path)
            for path in files["trained"]
            for name, repetition in [_subject(path, "setting", "repetition")]
            if repetition == "1"
        },
        coverage={
            task: texts.load_tables(path)["coverage"]
            for path in files["tables"]
            for [task] in [_subject(path, "task")]
        },
        sentences=_sentences(files["aligned"]),
        grids=pd.DataFrame(grids, columns=GRID, dtype=object).astype({"score": float}),
        dimensions=pd.DataFrame(dimensions, columns=[*FIT, "dimension"], dtype=object),
        warnings=list(dict.fromkeys(warnings)),
    )


def _named(about: Mapping[str, Any]) -> dict[str, Any]:
    return {key: about[key] for key in FIT}


def _subject(path: str, *keys: str) -> list[str]:
    about = Artefact(path).about["subject"]
    return [about[key] for key in keys]


def _nearest(folders: Sequence[str], similarity: str) -> pd.DataFrame:
    there = [folder for folder in folders if ranks.left_out(folder) is None]
    return ranks.nearest(there[0], similarity) if there else pd.DataFrame()


def _sentences(paths: Sequence[str]) -> dict[str, pd.DataFrame]:
    rows: dict[str, list] = {}
    for about in map(aligned.about, paths):
        rows.setdefault(about["task"], []).extend(about["pairs"])
    return {task: pd.DataFrame(pairs) for task, pairs in rows.items() if pairs}


def _tried(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    criterion = report.get("criterion", "")
    pairs = [
        (query, target, scores)
        for query, of_query in report.get("validation_pairs", {}).items()
        for target, scores in of_query.items()
    ]
    for number, entry in enumerate(report.get("validation", [])):
        scores = [("", "", entry[criterion]), *((q, t, each[number]) for q, t, each in pairs)]
        for option in (name for name in entry if name != criterion):
            about = {"fit": number + 1, "option": option, "value": _plain(entry[option])}
            about |= {"criterion": criterion, "chosen": number == report["kept"]}
            for query, target, score in scores:
                yield {**about, "query": query, "target": target, "score": score}


def _plain(value: Any) -> int | float | str:
    """Return numbers and text unchanged, all else as JSON."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number or isinstance(value, str) else json.dumps(value)
