"""What a run's report is made from, and what made the run."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from cr5.base.artefacts import Artefact
from cr5.base.errors import UserError
from cr5.base.machine import code, kernels, machine, versions
from cr5.counts import bags, documents
from cr5.fitting.options import FOUND_NOTHING
from cr5.models import store
from cr5.report.names import Systems
from cr5.report.published import beside, compared
from cr5.scores import collected, ranks
from cr5.scores.comparisons import ALPHA, FIRST
from cr5.scores.summary import ALL, MEAN
from cr5.splits import training_documents
from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.texts import aligned

KIND = "report"
RECORD, CONFIG = "run.json", "config.yaml"  # beside the folder of the report, and sealed with it
LOOKS = ("", "quick")  # where the record is: of a whole run, or else of a first look
FIT = ["setting", "series", "kind", "system", "repetition"]
GRID = [*FIT, "fit", "option", "value", "criterion", "score", "chosen"]
COLUMN = ["setting", "task", "query", "target", "similarity", "metric"]


class Run:
    """The frames of a run, and what its configuration says of them.

    Attributes:
        facts: see `plan.shown.facts`.
        scores, means: over repetitions, of each direction and of all; with `best`, see `mark`, and
            `published`.
        own: of the means each system's by its first measure, see `by_own_measure`.
        trained: by setting what trains in the first repetition.
        titles: by language and concept.
        notes: of the documents of each language: where they are from, and what became of them.
        nearest: documents nearest to each query of the system that is shown, if there are any.
        told: what is to be said of a given split and of the files of tasks.
        files: counts of the entries of `dictionaries` and the lines of `sentences`, by that
            and the task.
        grids: a row per fit of a grid, numbered in the order tried, and option.
        dimensions: of the fits of a setting or series and a system.
        found_nothing: of such fits, warnings that say so, each with the repetitions that have it.
    """

    def __init__(self, files: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Read the files, by name as the rule names its inputs."""
        self.facts, self.main = facts, facts["main"]
        self.systems = Systems(facts["systems"])
        trained = files["trained"]
        shared = (training_documents.load(x, training_documents.PAIRS) for x in trained)
        self.pairs = pd.concat(shared, ignore_index=True)
        subjects = [(path, Artefact(path).about["subject"]) for path in trained]
        self.trained = {
            x["setting"]: training_documents.load(y) for y, x in subjects if x["repetition"] == "1"
        }

        every, curves, tests, self.left_out, told = (
            collected.read(files["scores"], x)
            for x in ("scores", "curves", "significance", "left_out", "told")
        )
        of_splits = dict.fromkeys(said for x in files["draws"] for said in Draw.load(x).told)
        of_tasks = [f"{task}: {said}" for task, said in told.itertuples(index=False)]
        self.told = [*of_splits, *of_tasks]
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
        self.notes = {Path(path).name: documents.notes_of(path) for path in files["documents"]}

        found = [ranks.nearest(x) for x in files["ranks"] if ranks.left_out(x) is None]
        self.nearest = by_first_measure(found[0]) if found else pd.DataFrame()
        self.files = {}
        for path in files["tables"]:
            task = Artefact(path).about["subject"]["task"]
            self.files["dictionaries", task] = texts.load(path)["coverage"]
        lines: dict[str, list] = {}
        for about in map(aligned.about, files["aligned"]):
            lines.setdefault(about["task"], []).extend(about["pairs"])
        counted = {x: pd.DataFrame(y, columns=aligned.COUNTED) for x, y in lines.items() if y}
        self.files |= {("sentences", x): frame for x, frame in counted.items()}
        self._read_fits(files["models"])

    def _read_fits(self, models: list[str]) -> None:
        kinds = self.pairs.drop_duplicates("setting").set_index("setting")[["series", "kind"]]
        grids, warnings = [], {}
        self.dimensions: dict[tuple[str, str], set[int]] = defaultdict(set)
        self.found_nothing: dict[tuple[str, str], dict[str, list[str]]] = {}
        for about in map(store.about, models):
            keys = {x: about[x] for x in FIT if x in about} | dict(kinds.loc[about["setting"]])
            report = about.get("fit", {})
            grids += [{**keys, **row} for row in _tried(report)]
            if dimension := report.get("dimension", report.get("rank")):
                for place in ("setting", "series"):
                    self.dimensions[keys[place], keys["system"]].add(dimension)
            named = self.systems.named(keys["system"], keys["setting"])
            said = report.get("warnings", [])
            warnings |= {f"{named}: {warning}": None for warning in said}
            for warning in [x for x in said if FOUND_NOTHING in x]:
                for place in {keys["setting"], keys["series"]}:
                    of_fit = self.found_nothing.setdefault((place, keys["system"]), {})
                    of_fit.setdefault(warning, []).append(keys["repetition"])
        self.grids = pd.DataFrame(grids, columns=GRID, dtype=object).astype({"score": float})
        self.warnings = list(warnings)


def recorded(results: str | Path) -> dict[str, Any]:
    """Read the record of a run, or of a first look; UserError where there is none."""
    for folder in (Path(results, look) for look in LOOKS):
        if (folder / RECORD).is_file():
            path = Artefact(folder / "report", KIND).file(f"../{RECORD}")
            return json.loads(path.read_text(encoding="utf-8"))
    raise UserError(
        f"{results}: there is no {RECORD}, nor one in quick/; expected the folder of a run that is "
        "done, by `./run` or `./run quick`"
    )


def record(run: Run, config: Mapping[str, Any]) -> dict[str, Any]:
    """What made a run, with the sources of the documents of each language."""
    own = f", all of a processor used ({' and '.join(kernels())})"
    return {
        "made": f"seed {config['seed']}, configuration {run.facts['configuration']}, code {code()}"
        + (own if config["processor"] == "own" else ""),
        "seed": config["seed"],
        "configuration": run.facts["configuration"],
        "code": code(),
        "versions": versions(),
        "machine": machine(),
        "sources": run.notes,
        "systems": run.facts["systems"],
        "fits": run.facts["fits"],
        "config": config,
    }


def _tried(report: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    criterion = report.get("criterion", "")
    for number, entry in enumerate(report.get("validation", [])):
        fit = {"fit": number + 1, "criterion": criterion, "score": entry[criterion]}
        for option in (name for name in entry if name != criterion):
            value = entry[option]
            value = value if type(value) in (int, float, str) else json.dumps(value)
            yield {**fit, "option": option, "value": value, "chosen": number == report["kept"]}


def mark(scores: pd.DataFrame, tests: pd.DataFrame) -> pd.DataFrame:
    """Add `best`: true, false, or missing where a column has one system alone.

    The best have the highest value of a column, or do not differ significantly from that.
    """
    keys, highest = [*COLUMN, "system"], scores.groupby(COLUMN)["value"].transform("max")
    both = pd.concat([tests, tests.rename(columns={"system": "other", "other": "system"})])
    first = scores.loc[scores["value"] == highest, keys].rename(columns={"system": "other"})
    level = both.merge(first).groupby(keys)["p_holm"].max().rename("level")
    best = (scores["value"] == highest) | (scores.join(level, on=keys)["level"] >= ALPHA)
    several = scores.groupby(COLUMN)["system"].transform("size") > 1
    return scores.assign(best=best.astype("boolean").where(several))


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
