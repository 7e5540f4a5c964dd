"""What a run's report is made from, and what made the run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.base.machine import code, kernels, machine, versions
from cr5.contracts.step import Paths
from cr5.counts import bags, documents
from cr5.report.facts import RunFacts
from cr5.report.fits import Fits, read_fits
from cr5.report.frames import by_first_measure, rows_with
from cr5.report.names import Systems
from cr5.report.published import compared, with_published
from cr5.scores import collected, ranks
from cr5.scores.comparisons import ALPHA, FIRST_MEASURE
from cr5.scores.ranks import DIRECTION
from cr5.scores.summary import ALL, MEAN
from cr5.splits import training_documents
from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.texts import aligned

KIND = "report"
# Beside the folder of the report, and sealed with it.
RECORD = "run.json"
CONFIG = "config.yaml"
LOOKS = ("", "quick")  # where the record is: of a whole run, or else of a first look
COLUMN = ["setting", "task"] + DIRECTION + ["similarity", "metric"]  # of a printed table
CELL = COLUMN + ["system"]


@dataclass(frozen=True)
class Run:
    """The frames of a run, and what its configuration says of them."""

    facts: RunFacts
    scores: pd.DataFrame  # over repetitions, of each direction; with `best` and `published`
    means: pd.DataFrame  # likewise, of all directions
    first_means: pd.DataFrame  # of the means each system's by its first one, see `by_own_measure`
    curves: pd.DataFrame  # Success@k of the main task
    compared: pd.DataFrame  # with published figures, see `published.compared`
    left_out: pd.DataFrame  # what has no figures, and why
    told: Sequence[str]  # what is to be said of a given split and of the files of tasks
    pairs: pd.DataFrame  # concepts that two languages share, by setting and repetition
    trained: Mapping[str, pd.DataFrame]  # by setting what trains in the first repetition
    titles: Mapping[str, pd.Series]  # by language and concept
    statistics: pd.DataFrame  # of the bags of each language
    notes: Mapping[str, Mapping[str, Any]]  # by language, where documents are from
    nearest: pd.DataFrame  # to each query of the system that is shown, if there are any
    # by `dictionaries` or `sentences` and task: how many entries or lines are used
    file_counts: Mapping[tuple[str, str], pd.DataFrame]
    fits: Fits  # what the fits say of themselves

    @classmethod
    def read(cls, inputs: Paths, facts: RunFacts) -> "Run":
        """Read the inputs of a report."""
        tables = inputs.one("scores")
        pairs = _read_pairs(inputs.all("trained"))
        tests = collected.read(tables, "significance")
        all_scores = collected.read(tables, "scores")
        over_repetitions = rows_with(all_scores, repetition=MEAN)
        comparison = compared(facts.published, over_repetitions, pairs)
        marked = mark(over_repetitions, tests)
        scores = with_published(marked, comparison)
        is_pooled = scores["query_language"] == ALL
        means = scores[is_pooled].reset_index(drop=True)
        folders_of_bags = inputs.by(facts.languages, "bags")
        summaries = [bags.read_summary(folder) for folder in folders_of_bags.values()]
        return cls(
            facts=facts,
            scores=scores[~is_pooled],
            means=means,
            first_means=by_own_measure(means, tests),
            curves=_read_curves(tables, facts.main_task),
            compared=comparison,
            left_out=collected.read(tables, "left_out"),
            told=_read_told(inputs.all("draws"), tables),
            pairs=pairs,
            trained=_read_trained(inputs.all("trained")),
            titles=_read_titles(folders_of_bags),
            statistics=pd.DataFrame(summaries),
            notes={path.name: documents.notes_of(path) for path in inputs.all("documents")},
            nearest=_read_nearest(inputs.all("ranks")),
            file_counts=_read_file_counts(inputs),
            fits=read_fits(inputs.all("models"), pairs, facts.systems),
        )

    @property
    def main_task(self) -> str:
        """The task of the main table."""
        return self.facts.main_task

    @property
    def systems(self) -> Systems:
        """How its systems are named and drawn."""
        return self.facts.systems


def _read_pairs(settings: Sequence[Path]) -> pd.DataFrame:
    """Read how many concepts the languages of each pair share, of all settings."""
    frames = [training_documents.load(path, training_documents.PAIRS) for path in settings]
    pairs = pd.concat(frames, ignore_index=True)
    return collected.as_named(pairs)


def _read_trained(settings: Sequence[Path]) -> dict[str, pd.DataFrame]:
    """Read what trains in the first repetition, by setting."""
    trained = {}
    for path in settings:
        subject = Artefact(path).about["subject"]
        if subject["repetition"] == "1":
            setting = subject["setting"]
            trained[setting] = training_documents.load(path)
    return trained


def _read_curves(tables: Path, task: str) -> pd.DataFrame:
    """Read Success@k of a task, with a column of k."""
    all_curves = collected.read(tables, "curves")
    curves = rows_with(all_curves, task=task)
    k = curves["metric"].str.removeprefix("Success@")
    return curves.assign(k=k.astype(int))


def _read_told(draws: Sequence[Path], tables: Path) -> list[str]:
    """Read what is to be said of splits, each sentence once, and of the files of tasks."""
    of_splits: dict[str, None] = {}
    for path in draws:
        draw = Draw.load(path)
        of_splits |= dict.fromkeys(draw.told)
    rows = collected.read(tables, "told")
    of_tasks = [f"{task}: {sentence}" for task, sentence in rows.itertuples(index=False)]
    return list(of_splits) + of_tasks


def _read_titles(folders: Mapping[str, Path]) -> dict[str, pd.Series]:
    """Read the titles of the documents of each language, by concept."""
    titles = {}
    for language, path in folders.items():
        table = bags.read_documents(path, language, ["concept", "title"])
        titles[language] = table.set_index("concept")["title"]
    return titles


def _read_nearest(folders: Sequence[Path]) -> pd.DataFrame:
    """Read what the first system that has ranks found, by its first measure."""
    for path in folders:
        if ranks.left_out(path) is None:
            queries = ranks.read_queries(path)
            return by_first_measure(queries)
    return pd.DataFrame()


def _read_file_counts(inputs: Paths) -> dict[tuple[str, str], pd.DataFrame]:
    """Read how much of the files of tasks is used: entries of dictionaries, lines of sentences."""
    counts = {}
    for path in inputs.all("tables"):
        subject = Artefact(path).about["subject"]
        counts["dictionaries", subject["task"]] = texts.load(path)["coverage"]
    rows_of: dict[str, list] = {}  # by task
    for path in inputs.all("aligned"):
        about = aligned.about(path)
        rows = rows_of.setdefault(about["task"], [])
        rows += about["pairs"]
    for task, rows in rows_of.items():
        if rows:
            counts["sentences", task] = pd.DataFrame(rows, columns=aligned.COUNTED)
    return counts


def recorded(results: str | Path) -> dict[str, Any]:
    """Read the record of a run, or of a first look; UserError where there is none."""
    for look in LOOKS:
        folder = Path(results, look)
        if (folder / RECORD).is_file():
            path = Artefact(folder / "report", KIND).file(f"../{RECORD}")
            return json.loads(path.read_text(encoding="utf-8"))
    raise UserError(
        f"{results}: there is no {RECORD}, nor one in quick/; expected the folder of a run that is "
        "done, by `./run` or `./run quick`"
    )


def record(run: Run, config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what made a run, with the sources of the documents of each language."""
    facts = run.facts
    seed = config["seed"]
    version = code()
    made = f"seed {seed}, configuration {facts.configuration}, code {version}"
    if config["processor"] == "own":
        instructions = " and ".join(kernels())
        made += f", all of a processor used ({instructions})"
    fits = [(fit.setting, fit.system, fit.task) for fit in facts.fits]
    return {
        "made": made,
        "seed": seed,
        "configuration": facts.configuration,
        "code": version,
        "versions": versions(),
        "machine": machine(),
        "sources": run.notes,
        "systems": facts.systems.model_dump(mode="json"),
        "fits": fits,
        "config": config,
    }


def mark(scores: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Add `best`: true, false, or missing where a column has one system alone.

    The best have the highest value of a column, or do not differ significantly from that.
    """
    columns = scores.groupby(COLUMN)
    highest_value = columns["value"].transform("max")
    is_highest = scores["value"] == highest_value
    highest = scores.loc[is_highest, CELL]
    p_values = _p_values_against(highest, tests)
    with_p_values = scores.join(p_values, on=CELL)
    is_as_good = with_p_values["p_value"] >= ALPHA
    is_best = is_highest | is_as_good
    n_systems = columns["system"].transform("size")
    best = is_best.astype("boolean").where(n_systems > 1)
    return scores.assign(best=best)


def _p_values_against(cells: pd.DataFrame, tests: pd.DataFrame) -> pd.Series:
    """Return the highest p value of each cell against these of its column: `p_value`, by `CELL`."""
    turned = tests.rename(columns={"system": "other", "other": "system"})
    both_ways = pd.concat([tests, turned])
    others = cells.rename(columns={"system": "other"})
    against_others = both_ways.merge(others)
    p_values = against_others.groupby(CELL)["p_holm"]
    return p_values.max().rename("p_value")


def by_own_measure(means: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Keep each system's means by its first measure, marked among the systems of the setting.

    Systems of topics have `l1` alone and BM25 scalar products, whatever else a run compares by.
    """
    first = by_first_measure(means)
    measures = first.groupby(["setting", "task"])["similarity"]
    has_several = measures.transform("nunique") > 1
    similarity = first["similarity"].mask(has_several, FIRST_MEASURE)  # as the tests have it
    as_tested = first.assign(similarity=similarity)
    marked = mark(as_tested, tests)
    return first.assign(best=marked["best"])
