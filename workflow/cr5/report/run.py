"""What a run's report is made from, read once."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base import origin, sealed_json
from cr5.base.origin import Origin
from cr5.base.tables import load_csv
from cr5.corpora import aligned
from cr5.counts import bags
from cr5.models import store
from cr5.report import published
from cr5.report.names import Systems
from cr5.scores import ranks
from cr5.scores.summary import ALL, MEAN
from cr5.splits import settings
from cr5.tasks import tables

FIT = ["setting", "series", "kind", "system", "repetition"]
GRID = [*FIT, "fit", "option", "value", "criterion", "query", "target", "score", "chosen"]


@dataclass(frozen=True)
class Run:
    """The files of a run, and what its configuration says of them.

    Attributes:
        read: paths by name; the other frames are beside `scores`, the file scores.csv.
        facts: see `plan.shown.facts`; and what the rule knows of the files: `fits`, keys of each
            model; `trained`, setting and repetition of each file; `tables_of` and `aligned_of`,
            the task of each.
    """

    read: Mapping[str, Any]
    facts: Mapping[str, Any]

    @cached_property
    def systems(self) -> Systems:
        """How the systems are named."""
        return Systems(self.facts["systems"])

    @cached_property
    def main(self) -> str:
        """The task that the main table and the figures show."""
        return self.facts["main"]

    def frame(self, name: str) -> pd.DataFrame:
        """Read a table beside scores.csv."""
        return load_csv(Path(self.read["scores"]).with_name(f"{name}.csv"))

    @cached_property
    def all_scores(self) -> pd.DataFrame:
        """Means over repetitions, of each direction and of all."""
        every = self.frame("scores")
        return every[every["repetition"] == MEAN]

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Those of each direction."""
        return self.all_scores[self.all_scores["query"] != ALL]

    @cached_property
    def means(self) -> pd.DataFrame:
        """Those of all directions."""
        return self.all_scores[self.all_scores["query"] == ALL].reset_index(drop=True)

    @cached_property
    def tests(self) -> pd.DataFrame:
        """Tests between systems."""
        return self.frame("significance")

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Success@k of the main task, of each direction and of all."""
        every = self.frame("curves")
        every = every.assign(k=every["metric"].str.removeprefix("Success@").astype(int))
        return every[every["task"] == self.main]

    @cached_property
    def left_out(self) -> pd.DataFrame:
        """What the data allow no figures for."""
        return self.frame("left_out")

    @cached_property
    def source(self) -> Origin:
        """The origin of all files.

        Raises:
            UserError: files are from different runs or configurations.
        """
        scores, whole = Path(self.read["scores"]).with_suffix(".json"), self.facts["configuration"]
        parts = [*self.read["draws"], *self.read["ranks"]]
        return origin.of_run({scores: whole, **dict.fromkeys(parts)}, whole)

    @cached_property
    def bags(self) -> dict[str, str]:
        """Folders of bags by language."""
        return dict(zip(self.facts["languages"], self.read["bags"], strict=True))

    @cached_property
    def titles(self) -> dict[str, pd.Series]:
        """Titles by concept, for each language."""
        frames = {x: bags.read_documents(y, x, ["concept", "title"]) for x, y in self.bags.items()}
        return {x: frame.set_index("concept")["title"] for x, frame in frames.items()}

    @cached_property
    def statistics(self) -> pd.DataFrame:
        """A row per language."""
        return pd.DataFrame([bags.read_summary(folder) for folder in self.bags.values()])

    @cached_property
    def paragraphs(self) -> list[dict]:
        """What became of the paragraphs of each language, if documents are made of any."""
        found = [sealed_json.read(path) for path in self.read["documents"]]
        return [each["paragraphs"] for each in found if "paragraphs" in each]

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """What pairs of languages share in each setting and repetition."""
        return pd.concat([load_csv(path) for path in self.read["pairs"]], ignore_index=True)

    @cached_property
    def trained(self) -> dict[str, pd.DataFrame]:
        """What trains in each setting, in the first repetition."""
        files = zip(self.read["trained"], self.facts["trained"], strict=True)
        return {x["setting"]: settings.load(path) for path, x in files if x["repetition"] == 1}

    @cached_property
    def compared(self) -> pd.DataFrame:
        """Published figures beside ours, see `published.compared`."""
        return published.compared(self.facts["published"], self.all_scores, self.pairs)

    @cached_property
    def nearest(self) -> pd.DataFrame:
        """The nearest documents of each query of the system that is shown, by its first measure.

        Empty if it was left out, or the task has no documents.
        """
        for folder in self.read["ranks"]:
            if ranks.left_out(folder) is None:
                return ranks.nearest(folder, self.facts["measure"])
        return pd.DataFrame()

    def coverage(self, task: str) -> pd.DataFrame | None:
        """What became of the entries of a task's dictionaries; None if it has none."""
        files = zip(self.facts["tables_of"], self.read["tables"], strict=True)
        return next((tables.load(path)["coverage"] for of, path in files if of == task), None)

    def sentences(self, task: str) -> pd.DataFrame | None:
        """What became of the lines of a task's parallel text; None if it has none."""
        files = zip(self.facts["aligned_of"], self.read["aligned"], strict=True)
        rows = [pair for of, path in files if of == task for pair in aligned.about(path)["pairs"]]
        return pd.DataFrame(rows) if rows else None

    @cached_property
    def reports(self) -> list[tuple[dict, dict]]:
        """The keys of each fit, and what it reports."""
        fits = zip(self.facts["fits"], self.read["models"], strict=True)
        return [
            ({x: keys[x] for x in FIT}, store.about(path).get("fit", {})) for keys, path in fits
        ]

    @cached_property
    def warnings(self) -> list[str]:
        """What fits warn of, once for each system and setting."""
        said = (
            f"{self.systems.curve(keys['system'], keys['setting'])}: {warning}"
            for keys, report in self.reports
            for warning in report.get("warnings", [])
        )
        return list(dict.fromkeys(said))

    @cached_property
    def grids(self) -> pd.DataFrame:
        """All validation results.

        A row per fit of a grid (numbered from 1 in the order tried), option and directed pair, and
        one without a pair for the mean over pairs, which decides the choice.
        """
        rows = [{**keys, **row} for keys, report in self.reports for row in _tried(report)]
        return pd.DataFrame(rows, columns=GRID, dtype=object).astype({"score": float})

    @cached_property
    def dimensions(self) -> pd.DataFrame:
        """The number of dimensions of each fit that reports one, chosen or given; Cr5's rank."""
        rows = [
            {**keys, "dimension": number}
            for keys, report in self.reports
            if (number := report.get("dimension", report.get("rank"))) is not None
        ]
        return pd.DataFrame(rows, columns=[*FIT, "dimension"], dtype=object)

    @cached_property
    def concepts(self) -> dict[str, pd.Index]:
        """The concepts of each language's documents."""
        return {x: series.index for x, series in self.titles.items()}


def _tried(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    criterion = report.get("criterion", "")
    pairs: Sequence[tuple] = [
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
