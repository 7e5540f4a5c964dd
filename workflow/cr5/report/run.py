"""What a run's report is made from."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from cr5.base.artefacts import Artefact
from cr5.counts import bags, documents
from cr5.models import store
from cr5.report.names import Systems
from cr5.report.published import beside, compared
from cr5.scores import collected, ranks
from cr5.scores.comparisons import ALPHA, FIRST
from cr5.scores.summary import ALL, MEAN
from cr5.splits import training_documents
from cr5.tasks import texts
from cr5.texts import aligned

FIT = ["setting", "series", "kind", "system", "repetition"]
GRID = [*FIT, "fit", "option", "value", "criterion", "query", "target", "score", "chosen"]
COLUMN = ["setting", "task", "query", "target", "similarity", "metric"]


class Run:
    """The frames of a run, and what its configuration says of them.

    Attributes:
        facts: see `plan.shown.facts`.
        scores, means: over repetitions, of each direction and of all; with `best`, see `mark`, and
            `published`.
        own: of the means each system's by its first measure, see `by_own_measure`.
        curves: Success@k of the main task, of directions and all, with k.
        trained: by setting what trains in the first repetition.
        titles: by language and concept.
        paragraphs: what became of those of each language, if documents are made of any.
        nearest: documents nearest to each query of the system that is shown, if there are any.
        coverage, sentences: by task what became of the entries of its dictionaries, and of the
            lines of its parallel text.
        grids: validation results, a row per fit of a grid (numbered in the order tried), option and
            directed pair, and one without a pair for the mean, which decides.
        warnings: of fits, once for each system and setting.
    """

    def __init__(self, files: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Read the files, by name as the rule names its inputs."""
        self.facts, self.main = facts, facts["main"]
        self.systems = Systems(facts["systems"])
        self.pairs = pd.concat(
            map(training_documents.pairs_of, files["trained"]), ignore_index=True
        )
        subjects = [(path, Artefact(path).about["subject"]) for path in files["trained"]]
        self.trained = {
            x["setting"]: training_documents.load(y) for y, x in subjects if x["repetition"] == "1"
        }

        every, curves, tests, self.left_out = (
            collected.read(files["scores"], x)
            for x in ("scores", "curves", "significance", "left_out")
        )
        every = every[every["repetition"] == MEAN]
        self.compared = compared(facts["published"], every, self.pairs)
        every = beside(mark(every, tests), self.compared)
        self.scores = every[every["query"] != ALL]
        self.means = every[every["query"] == ALL].reset_index(drop=True)
        self.own = by_own_measure(self.means, tests)
        curves = curves[curves["task"] == self.main]
        self.curves = curves.assign(k=curves["metric"].str.removeprefix("Success@").astype(int))

        self.titles = {
            x: bags.read_documents(path, x, ["concept", "title"]).set_index("concept")["title"]
            for x, path in zip(facts["languages"], files["bags"], strict=True)
        }
        self.statistics = pd.DataFrame([bags.read_summary(path) for path in files["bags"]])
        notes = map(documents.notes_of, files["documents"])
        self.paragraphs = [each["paragraphs"] for each in notes if "paragraphs" in each]

        there = [folder for folder in files["ranks"] if ranks.left_out(folder) is None]
        self.nearest = ranks.nearest(there[0], facts["measure"]) if there else pd.DataFrame()
        self.coverage = {
            Artefact(path).about["subject"]["task"]: texts.load_tables(path)["coverage"]
            for path in files["tables"]
        }
        lines: dict[str, list] = {}
        for about in map(aligned.about, files["aligned"]):
            lines.setdefault(about["task"], []).extend(about["pairs"])
        self.sentences = {task: pd.DataFrame(pairs) for task, pairs in lines.items() if pairs}
        self._read_fits(files["models"])

    def _read_fits(self, models: list[str]) -> None:
        kinds = self.pairs.drop_duplicates("setting").set_index("setting")[["series", "kind"]]
        grids, dimensions, warnings = [], [], {}
        for about in map(store.about, models):
            keys = {x: about[x] for x in FIT if x in about} | dict(kinds.loc[about["setting"]])
            report = about.get("fit", {})
            grids += [{**keys, **row} for row in _tried(report)]
            dimensions.append({**keys, "dimension": report.get("dimension", report.get("rank"))})
            named = self.systems.curve(keys["system"], keys["setting"])
            warnings |= {f"{named}: {warning}": None for warning in report.get("warnings", [])}
        self.grids = pd.DataFrame(grids, columns=GRID, dtype=object).astype({"score": float})
        found = pd.DataFrame(dimensions, columns=[*FIT, "dimension"], dtype=object)
        self.dimensions = found.dropna(subset="dimension", ignore_index=True)
        self.warnings = list(warnings)


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
            value = entry[option]
            value = value if type(value) in (int, float, str) else json.dumps(value)
            about = {"fit": number + 1, "option": option, "value": value}
            about |= {"criterion": criterion, "chosen": number == report["kept"]}
            for query, target, score in scores:
                yield {**about, "query": query, "target": target, "score": score}


def mark(scores: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Add `best`: true, false, or missing if a system was compared with no other.

    The best have the highest value of a column, or do not differ significantly from that.
    """
    keys = [*COLUMN, "system"]
    both = pd.concat([tests, tests.rename(columns={"system": "other", "other": "system"})])
    highest = scores.groupby(COLUMN)["value"].transform("max")
    first = scores.loc[scores["value"] == highest, keys]
    level = both[both["p_holm"] >= ALPHA].merge(
        first.rename(columns={"system": "other"}), on=[*COLUMN, "other"]
    )
    best = _among(scores, pd.concat([first, level]), keys).astype("boolean")
    return scores.assign(best=best.where(_among(scores, both, keys)))


def _among(rows: pd.DataFrame, some: pd.DataFrame, keys: list[str]) -> pd.Series:
    found = pd.MultiIndex.from_frame(rows[keys]).isin(pd.MultiIndex.from_frame(some[keys]))
    return pd.Series(found, rows.index)


def by_first_measure(frame: pd.DataFrame) -> pd.DataFrame:
    """Keep the rows of each system by its first measure."""
    first = frame.groupby(["setting", "task", "system"], sort=False)["similarity"]
    return frame[frame["similarity"] == first.transform("first")]


def by_own_measure(means: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Keep each system's means by its first measure, marked among the systems of the setting.

    Systems of topics have `l1` alone and BM25 scalar products, whatever else a run compares by.
    """
    own = by_first_measure(means)
    several = own.groupby(["setting", "task"])["similarity"].transform("nunique") > 1
    asked = own.assign(similarity=own["similarity"].mask(several, FIRST))
    return own.assign(best=mark(asked, tests)["best"])
