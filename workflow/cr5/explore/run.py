"""The parts of a finished run that the page shows: setting, systems and ranks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base.errors import LeftOutError, UserError
from cr5.explore.setting import TASK, setting_of
from cr5.models import store
from cr5.models.contract import Model
from cr5.retrieval.results import Results
from cr5.scores.ranks import DIRECTION, left_out, tables
from cr5.search.measures import measure

MOST_SYSTEMS = 4
ANSWER = ["query", "rank", "score"]
QUERY = ["query", "n_candidates", "nearest"]


@dataclass(frozen=True)
class Run:
    """One setting of a run, with the systems to show.

    Attributes:
        folder: the corpus's folder below `results`.
        setting: its name.
        systems: their names, in the order shown.
        classes: that models may be of besides ours.
    """

    folder: Path
    setting: str
    systems: tuple[str, ...]
    classes: tuple[type[Model], ...] = ()

    def model(self, system: str) -> Model:
        """Load a system's model."""
        return store.load(Results(self.folder).model_folder(self.setting, system), self.classes)

    def about(self, system: str) -> dict:
        """Read what made a system's model."""
        return store.about(Results(self.folder).model_folder(self.setting, system))

    def ranks_of(self, system: str) -> Path:
        """Return the place of a system's ranks."""
        return Results(self.folder).ranks_folder(self.setting, system)

    def ranks(self, system: str) -> dict[tuple[str, str, str], pd.DataFrame]:
        """Read a system's ranks.

        Returns:
            By query language, target language and measure: query, n_candidates, nearest (concepts,
            best first), rank and score of the true counterpart; a row per query.

        Raises:
            UserError: a file is damaged.
        """
        folder = self.ranks_of(system)
        columns = [*DIRECTION, *ANSWER], [*DIRECTION, *QUERY]
        answers, queries = tables(folder, *columns, setting=self.setting, system=system)
        merged = queries.merge(answers, "left", [*DIRECTION, "query"], validate="1:1")
        groups = merged.groupby(list(DIRECTION), sort=False)
        # the page cannot compute scores with other corrections
        return {
            key: group.reset_index(drop=True)
            for key, group in groups
            if measure(key[-1]).correction in ("", "csls")
        }


def find(
    folder: str | Path,
    setting: str | None = None,
    systems: Sequence[str] = (),
    classes: Iterable[type[Model]] = (),
) -> Run:
    """Choose what to show.

    Args:
        folder: the corpus's folder below `results`.
        setting: its name; by default joint if it exists, or the only one.
        systems: their names; by default the best by Success@1, at most `MOST_SYSTEMS`.
        classes: that models may be of besides ours.

    Raises:
        UserError: this is not a folder of a finished run, or there is no such setting or system.
    """
    folder = Path(folder)
    if not (folder / "ranks").is_dir():
        raise UserError(
            f"{folder}/ranks: no such folder; expected the folder of a finished run, such as "
            "results/libreoffice_help: run the workflow first (./run)"
        )
    setting = _setting(folder, setting)
    there = _systems(folder, setting)
    for system in systems:
        _check(folder, setting, system, there)
    if not there:
        raise LeftOutError(
            f"{folder}/ranks/{setting}: no system has ranks of the task {TASK} and a model; run "
            "the workflow again (./run)"
        )
    chosen = tuple(dict.fromkeys(systems)) or tuple(there[:MOST_SYSTEMS])
    return Run(folder, setting, chosen, tuple(classes))


def _setting(folder: Path, wanted: str | None) -> str:
    there = sorted({path.parents[2].name for path in folder.glob(f"ranks/*/*/1/{TASK}")})
    chosen = wanted or setting_of(there)
    if chosen not in there:
        said = f"no setting {chosen!r}" if chosen else "name a setting"
        listed = ", ".join(there) or f"none with ranks of the task {TASK}: run the workflow (./run)"
        raise UserError(f"{folder}/ranks: {said}; there: {listed}")
    return chosen


def _systems(folder: Path, setting: str) -> list[str]:
    """Return the systems with ranks and a model, by Success@1 (cosine) if that table exists."""
    there = {
        path.name
        for path in (folder / "ranks" / setting).iterdir()
        if all(x.is_file() for x in _needed(folder, setting, path.name))
    }
    best = [system for _, system in Results(folder).best(setting=setting) if system in there]
    return [*best, *sorted(there.difference(best))]


def _check(folder: Path, setting: str, system: str, there: Sequence[str]) -> None:
    if system in there:
        return
    ranks = Results(folder).ranks_folder(setting, system)
    if ranks.is_dir() and (reason := left_out(ranks)):
        raise UserError(
            f"{system} was left out of the setting {setting}: {reason['reason']}; there: "
            f"{', '.join(there)}"
        )
    for path in _needed(folder, setting, system):
        if not path.is_file():
            raise UserError(
                f"{path}: no such file, so {system!r} cannot be shown in the setting {setting}; "
                f"there: {', '.join(there) or 'no system: run the workflow again (./run)'}"
            )


def _needed(folder: Path, setting: str, system: str) -> tuple[Path, Path]:
    """Return the files needed to show a system."""
    results = Results(folder)
    ranks, model = results.ranks_folder(setting, system), results.model_folder(setting, system)
    return ranks / "queries.parquet", model / store.MODEL
