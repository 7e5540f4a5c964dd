"""What a run's report is made from; each file is read once, when it is asked for."""

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
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


class Run:
    """The frames of a run, and what its configuration says of them.

    Args:
        files: paths by name, as the rule names its inputs; of scores, the folder of all tables.
        facts: see `plan.shown.facts`.

    Raises:
        UserError: of whatever is read: a file is damaged.
    """

    def __init__(self, files: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        self._files, self.facts = files, facts
        self.main = facts["main"]  # the task that the main table and the figures show
        self.systems = Systems(facts["systems"])
        self.others = [task for task in facts["tasks"] if task != self.main]
        self.folder = Path(files["scores"])

    def _table(self, name: str) -> pd.DataFrame:
        return collected.read(self.folder, name)

    @cached_property
    def _every(self) -> pd.DataFrame:
        found = self._table("scores")
        return found[found["repetition"] == MEAN]

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Scores of each direction, over repetitions."""
        return self._every[self._every["query"] != ALL]

    @cached_property
    def means(self) -> pd.DataFrame:
        """Likewise of all directions."""
        return self._every[self._every["query"] == ALL].reset_index(drop=True)

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Success@k of the main task, likewise of both, with k."""
        found = self._table("curves")
        found = found[found["task"] == self.main]
        return found.assign(k=found["metric"].str.removeprefix("Success@").astype(int))

    @cached_property
    def tests(self) -> pd.DataFrame:
        """Tests between systems."""
        return self._table("significance")

    @cached_property
    def left_out(self) -> pd.DataFrame:
        """What the data allow no figures for."""
        return self._table("left_out")

    @cached_property
    def compared(self) -> pd.DataFrame:
        """Published figures beside ours, see `published.compared`."""
        return published.compared(self.facts["published"], self._every, self.pairs)

    @cached_property
    def nearest(self) -> pd.DataFrame:
        """The nearest documents of each query of the system that is shown, by its first measure.

        Empty if it was left out, or the task has no documents.
        """
        there = [folder for folder in self._files["ranks"] if ranks.left_out(folder) is None]
        return ranks.nearest(there[0], self.facts["measure"]) if there else pd.DataFrame()

    @cached_property
    def titles(self) -> dict[str, pd.Series]:
        """Titles by language and concept."""
        return {
            x: bags.read_documents(path, x, ["concept", "title"]).set_index("concept")["title"]
            for x, path in zip(self.facts["languages"], self._files["bags"], strict=True)
        }

    @cached_property
    def statistics(self) -> pd.DataFrame:
        """A row per language."""
        return pd.DataFrame([bags.read_summary(path) for path in self._files["bags"]])

    @cached_property
    def paragraphs(self) -> list[Mapping[str, Any]]:
        """What became of the paragraphs of each language, if documents are made of any."""
        found = map(documents.notes_of, self._files["documents"])
        return [each["paragraphs"] for each in found if "paragraphs" in each]

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """What languages share in each setting and repetition."""
        return pd.concat(map(settings.pairs_of, self._files["trained"]), ignore_index=True)

    @cached_property
    def trained(self) -> dict[str, pd.DataFrame]:
        """What trains in each setting, in the first repetition."""
        subjects = [(path, Artefact(path).about["subject"]) for path in self._files["trained"]]
        return {x["setting"]: settings.load(y) for y, x in subjects if x["repetition"] == "1"}

    @cached_property
    def coverage(self) -> dict[str, pd.DataFrame]:
        """By task what became of the entries of its dictionaries."""
        paths = {Artefact(path).about["subject"]["task"]: path for path in self._files["tables"]}
        return {task: texts.load_tables(path)["coverage"] for task, path in paths.items()}

    @cached_property
    def sentences(self) -> dict[str, pd.DataFrame]:
        """By task what became of the lines of its parallel text."""
        rows: dict[str, list] = {}
        for about in map(aligned.about, self._files["aligned"]):
            rows.setdefault(about["task"], []).extend(about["pairs"])
        return {task: pd.DataFrame(pairs) for task, pairs in rows.items() if pairs}

    @cached_property
    def _fits(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """What each model is, and how it was fitted."""
        kinds = self.pairs.drop_duplicates("setting").set_index("setting")[["series", "kind"]]
        found = [store.about(path) for path in self._files["models"]]
        named = [{**x, **kinds.loc[x["setting"]]} for x in found]
        return [({key: x[key] for key in FIT}, x.get("fit", {})) for x in named]

    @cached_property
    def grids(self) -> pd.DataFrame:
        """All validation results.

        A row per fit of a grid (numbered from 1 in the order tried), option and directed pair, and
        one without a pair for the mean, which decides.
        """
        rows = [{**keys, **row} for keys, report in self._fits for row in _tried(report)]
        return pd.DataFrame(rows, columns=GRID, dtype=object).astype({"score": float})

    @cached_property
    def dimensions(self) -> pd.DataFrame:
        """The number of dimensions of each fit that reports one, chosen or given."""
        numbers = [(keys, x.get("dimension", x.get("rank"))) for keys, x in self._fits]
        rows = [{**keys, "dimension": x} for keys, x in numbers if x is not None]
        return pd.DataFrame(rows, columns=[*FIT, "dimension"], dtype=object)

    @cached_property
    def warnings(self) -> list[str]:
        """Warnings of fits, once for each system and setting."""
        return list(
            dict.fromkeys(
                f"{self.systems.curve(keys['system'], keys['setting'])}: {warning}"
                for keys, report in self._fits
                for warning in report.get("warnings", [])
            )
        )


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
