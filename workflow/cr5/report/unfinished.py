"""What a failed run did finish: a table that also names what is missing, and why."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cr5.base import origin
from cr5.report import collected
from cr5.report.names import Systems
from cr5.report.table import write_table
from cr5.report.table1 import table1


@dataclass(frozen=True)
class Fit:
    """One system in one setting and task, as the workflow would make it.

    Attributes:
        setting: its name.
        system: its name.
        task: its name.
        made: artefacts that it needs, in order, each with the log of its job.
        ranks: their folders, and the configuration that each is made with.
        finished: artefacts that are as this run would make them; others are left from an earlier
            run.
    """

    setting: str
    system: str
    task: str
    made: Sequence[tuple[str, str]]
    ranks: Mapping[str, str]
    finished: Collection[str]

    def missing(self) -> str | None:
        """Say which log tells why it is unfinished; None if it is finished."""
        for path, log in self.made:
            if path not in self.finished:
                return log
        return None


@dataclass(frozen=True)
class Told:
    """What the table needs of the configuration.

    Attributes:
        corpus: its name.
        task: the table's task.
        metrics: metrics by task.
        curve: see `collected.collect`.
        rows: see `collected.collect`.
        unlike: see `table1.table1`.
        configuration: checksum of the whole configuration.
        systems: how they are named.
    """

    corpus: str
    task: str
    metrics: Mapping[str, Sequence[str]]
    curve: int
    rows: Mapping[collected.Fit, str]
    unlike: Sequence[str]
    configuration: str
    systems: Systems


def write(fits: Sequence[Fit], folder: str | Path, told: Told) -> Path | None:
    """Write the table of what is finished; remove that of an earlier failure.

    Args:
        fits: the task's fits, finished or not.
        folder: the folder to write to.
        told: settings of the configuration.

    Returns:
        The path of the table in Markdown; None if nothing is finished.
    """
    shutil.rmtree(folder, ignore_errors=True)
    logs = [fit.missing() for fit in fits]
    finished = [fit for fit, log in zip(fits, logs, strict=True) if log is None]
    if not finished:
        return None
    expected = {path: made_with for fit in finished for path, made_with in fit.ranks.items()}
    source = origin.of_run(expected, told.configuration)
    folders = {(fit.setting, fit.system, fit.task): list(fit.ranks) for fit in finished}
    found = collected.collect(folders, told.metrics, told.curve, told.rows)
    scores = found.tables["scores"]
    table = table1(
        scores, told.corpus, told.task, told.unlike, found.left_out, systems=told.systems
    )
    title = f"{table.title}: what an unfinished run has so far"
    table = replace(table, title=title, notes=[*_sentences(fits, logs, told.systems), *table.notes])
    write_table(table, Path(folder) / "table1", source)
    collected.write(found.frames, folder, source)
    return Path(folder) / "table1.md"


def _sentences(fits: Sequence[Fit], logs: Sequence[str | None], systems: Systems) -> list[str]:
    return [
        f"Not finished: {systems.curve(fit.system, fit.setting)}"
        + (f", see {log}." if log and Path(log).is_file() else ".")
        for fit, log in zip(fits, logs, strict=True)
        if log is not None
    ]
