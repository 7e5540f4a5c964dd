"""What of a finished run the page shows: which setting, which systems, their ranks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base.errors import LeftOutError, UserError
from cr5.base.tables import read_csv, read_parquet
from cr5.models import store
from cr5.models.contract import Model
from cr5.scores.ranks import DIRECTION, left_out

FIRST_SETTING = "joint"
TASK = "documents"
MOST_SYSTEMS = 4
ANSWER = ["query", "rank", "score"]
QUERY = ["query", "n_candidates", "nearest"]


@dataclass(frozen=True)
class Run:
    """One setting of a run, and the systems that are shown of it.

    Attributes:
        folder: of the corpus, below `results`.
        setting: its name.
        systems: their names, the first one is shown first.
    """

    folder: Path
    setting: str
    systems: tuple[str, ...]

    def model(self, system: str) -> Model:
        """Load a system's model."""
        return store.load(_model(self.folder, self.setting, system))

    def about(self, system: str) -> dict:
        """Read what made a system's model."""
        return store.about(_model(self.folder, self.setting, system))

    def ranks_of(self, system: str) -> Path:
        """Where a system's ranks are."""
        return _ranks(self.folder, self.setting, system)

    def ranks(self, system: str) -> dict[tuple[str, str, str], pd.DataFrame]:
        """Read a system's ranks.

        Returns:
            By query language, target language and measure: query, n_candidates, nearest (concepts,
            best first), rank and score of the true counterpart; a row per query.

        Raises:
            UserError: a file is damaged.
        """
        folder = self.ranks_of(system)
        queries = read_parquet(folder / "queries.parquet", [*DIRECTION, *QUERY])
        answers = read_parquet(folder / "answers.parquet", [*DIRECTION, *ANSWER])
        merged = queries.merge(answers, "left", [*DIRECTION, "query"], validate="1:1")
        groups = merged.groupby(list(DIRECTION), sort=False)
        return {key: group.reset_index(drop=True) for key, group in groups}


def find(folder: str | Path, setting: str | None = None, systems: Sequence[str] = ()) -> Run:
    """Choose what is shown.

    Args:
        folder: of the corpus, below `results`.
        setting: its name; if not given, joint if it is there, or the only one.
        systems: their names; if none, the best by P@1, at most `MOST_SYSTEMS`.

    Raises:
        UserError: this is no folder of a finished run, or there is no such setting or system.
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
    return Run(folder, setting, tuple(dict.fromkeys(systems)) or tuple(there[:MOST_SYSTEMS]))


def _setting(folder: Path, wanted: str | None) -> str:
    there = sorted({path.parents[2].name for path in folder.glob(f"ranks/*/*/1/{TASK}")})
    chosen = wanted or setting_of(there)
    if chosen not in there:
        said = f"no setting {chosen!r}" if chosen else "name a setting"
        listed = ", ".join(there) or f"none with ranks of the task {TASK}: run the workflow (./run)"
        raise UserError(f"{folder}/ranks: {said}; there: {listed}")
    return chosen


def setting_of(names: Collection[str]) -> str | None:
    """Which setting is shown where nobody names one: joint, or the only one."""
    if FIRST_SETTING in names:
        return FIRST_SETTING
    return next(iter(names)) if len(names) == 1 else None


def _systems(folder: Path, setting: str) -> list[str]:
    """Those with ranks and a model; the best by P@1, cosine, first, where there is that table."""
    there = sorted(
        path.name
        for path in (folder / "ranks" / setting).iterdir()
        if (_ranks(folder, setting, path.name) / "queries.parquet").is_file()
        and (_model(folder, setting, path.name) / "model.json").is_file()
    )
    means = folder / "tables" / "means.csv"
    if not means.is_file():
        return there
    scores = read_csv(means)
    scores = scores[(scores["setting"] == setting) & (scores["task"] == TASK)]
    best = scores[scores["metric"] == "P@1"].groupby("system")["value"].first()
    return sorted(there, key=lambda system: (-best.get(system, -1.0), system))


def _check(folder: Path, setting: str, system: str, there: Sequence[str]) -> None:
    if system in there:
        return
    if reason := left_out(_ranks(folder, setting, system)):
        raise UserError(
            f"{system} was left out of the setting {setting}: {reason['reason']}; there: "
            f"{', '.join(there)}"
        )
    for path in (
        _ranks(folder, setting, system) / "queries.parquet",
        _model(folder, setting, system) / "model.json",
    ):
        if not path.is_file():
            raise UserError(
                f"{path}: no such file, so {system!r} cannot be shown in the setting {setting}; "
                f"there: {', '.join(there) or 'no system: run the workflow again (./run)'}"
            )


def _ranks(folder: Path, setting: str, system: str) -> Path:
    return folder / "ranks" / setting / system / "1" / TASK


def _model(folder: Path, setting: str, system: str) -> Path:
    return folder / "models" / setting / system / "1"
