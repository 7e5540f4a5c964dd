"""What a run that failed did finish: a table that names what is missing, and why."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cr5.report import collected
from cr5.report.names import curve_name
from cr5.report.table import write_table
from cr5.report.table1 import table1


@dataclass(frozen=True)
class Fit:
    """One system in one setting and task, as the workflow would make it.

    Attributes:
        setting: its name.
        system: its name.
        task: its name.
        made: artefacts that it takes, in their order, each with the log of its job.
        scores: the folder of its scores.
        finished: artefacts of this run that are as it would make them; what else there is, an
            earlier run left.
    """

    setting: str
    system: str
    task: str
    made: Sequence[tuple[str, str]]
    scores: str
    finished: Collection[str]

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return curve_name(self.system, self.setting)

    def missing(self) -> str | None:
        """Say which log tells why it is not finished; None if it is."""
        for path, log in [*self.made, (self.scores, "")]:
            if path not in self.finished:
                return log
        return None


def write(
    fits: Sequence[Fit],
    folder: str | Path,
    rows: Mapping[tuple[str, str, str], str],
    corpus: str,
    task: str,
    unlike: Sequence[str],
) -> Path | None:
    """Write the table of what is finished; what an earlier failure left there is removed.

    Args:
        fits: of the task; finished or not.
        folder: to write to.
        rows: see `collected.collect`.
        corpus: its name.
        task: of the table.
        unlike: see `table1.table1`.

    Returns:
        The table in Markdown; None where nothing is finished.
    """
    shutil.rmtree(folder, ignore_errors=True)
    logs = [fit.missing() for fit in fits]
    finished = [fit for fit, log in zip(fits, logs, strict=True) if log is None]
    if not finished:
        return None
    found = collected.collect([fit.scores for fit in finished], rows)
    table = table1(found.tables["scores"], corpus, task, unlike, found.left_out)
    title = f"{table.title}: what an unfinished run has so far"
    table = replace(table, title=title, notes=[*_sentences(fits, logs), *table.notes])
    write_table(table, Path(folder) / "table1", found.origin)
    collected.write(found, folder)
    return Path(folder) / "table1.md"


def _sentences(fits: Sequence[Fit], logs: Sequence[str | None]) -> list[str]:
    return [
        f"Not finished: {fit.name}" + (f", see {log}." if log and Path(log).is_file() else ".")
        for fit, log in zip(fits, logs, strict=True)
        if log is not None
    ]
