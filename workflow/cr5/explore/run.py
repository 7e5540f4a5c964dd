"""The parts of a finished run that the page shows: setting, systems and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cr5.base.errors import LeftOutError, UserError
from cr5.explore import TASK, setting_of
from cr5.retrieval.loading import Results
from cr5.scores.ranks import DIRECTION, left_out, tables

MOST_SYSTEMS = 4
ANSWER = ["query", "rank", "score"]
QUERY = ["query", "n_candidates", "nearest", "scores"]

Ranks = dict[tuple[str, str, str], pd.DataFrame]
"""By query language, target language and measure: query, n_candidates, nearest (concepts, best
first) and their scores, rank and score of the true counterpart; a row per query."""


@dataclass(frozen=True)
class Run:
    """One setting of a run, the folder of its results, with the systems to show, in their order."""

    folder: Path
    setting: str
    systems: tuple[str, ...] = ()

    def ranks_of(self, system: str) -> Path:
        """Return the place of a system's ranks."""
        return self.folder / "ranks" / self.setting / system / "1" / TASK

    def ranks(self, system: str) -> Ranks:
        """Read a system's ranks."""
        columns = [*DIRECTION, *ANSWER], [*DIRECTION, *QUERY]
        of = {"setting": self.setting, "system": system}
        answers, queries = tables(self.ranks_of(system), *columns, **of)
        merged = queries.merge(answers, "left", [*DIRECTION, "query"], validate="1:1")
        groups = merged.groupby(list(DIRECTION), sort=False)
        return {key: group.reset_index(drop=True) for key, group in groups}


def find(folder: Path, setting: str | None = None, systems: Sequence[str] = ()) -> Run:
    """Choose a setting and systems to show: those named, or the best by Success@1.

    Raises:
        LeftOutError: no system has ranks.
        UserError: this is not a folder of a finished run, or there is no such setting or system.
    """
    settings = sorted({path.parents[2].name for path in folder.glob(f"ranks/*/*/1/{TASK}")})
    if not settings:
        raise UserError(
            f"{folder}/ranks: no ranks of the task {TASK}; expected the folder of a finished run, "
            "such as results/libreoffice_help: run the workflow first (./run)"
        )
    chosen = setting or setting_of(settings)
    if chosen not in settings:
        said = f"no setting {chosen!r}" if chosen else "name a setting"
        raise UserError(f"{folder}/ranks: {said}; there: {', '.join(settings)}")
    run = Run(folder, chosen)
    every = sorted(path.name for path in (folder / "ranks" / chosen).iterdir())
    there = [x for x in every if not left_out(run.ranks_of(x))]
    best = [system for _, system in Results(folder).best(setting=chosen) if system in there]
    there = list(dict.fromkeys([*best, *there]))
    for system in systems:
        if system not in there:
            place = run.ranks_of(system)
            why = left_out(place)["reason"] if system in every else "no such system"
            raise UserError(f"{place}: {why}; there: {', '.join(there)}")
    if not there:
        raise LeftOutError(f"{folder}/ranks/{chosen}: no system has ranks of the task {TASK}")
    return Run(folder, chosen, tuple(dict.fromkeys(systems)) or tuple(there[:MOST_SYSTEMS]))
