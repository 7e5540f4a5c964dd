"""What a job requests from a cluster: memory and minutes.

Most rules say shares of `memory_mb` and `minutes` of the configuration, rounded up from peaks; a
fit requests what its system declares (`System.cost`).

On a made-up corpus in the shape of the paper's (1.4 million documents in four languages, 200,000
words each; `memory_mb` 16000, `minutes` 60, one thread) a fit of Cr5 took 10.8 GB and 14 min with
one ridge and two threads, ranks 4.4 GB and 34 s for twelve directions by cosine and 66 min with
CSLS, what any fit is given 6.6 GB, draws 0.6 GB and 27 s. On the default corpus (4000) fits took at
most 0.7 GB and 172 s, all else 0.5 GB and 143 s. Not measured in the paper's shape: bags, vectors
and fits that start from these, which request the whole memory and hours; tasks but documents; and
encoders, with whose rows those of `best` are two to three times as long.
"""

from typing import NamedTuple

from cr5.contracts.system import System
from cr5.plan.config import Configuration
from cr5.plan.entries import Entry
from cr5.plan.matrix import Row

LEAST_MB = 1000  # no job of the default corpus took 700; one on a cluster has a snakemake of 270


class Request(NamedTuple):
    """What a job asks for at first."""

    megabytes: int
    minutes: int


def share(config: Configuration, memory: float, minutes: float) -> Request:
    """Return shares of the configuration's `memory_mb` and `minutes`."""
    return Request(
        megabytes=max(LEAST_MB, round(memory * config.memory_mb)),
        minutes=max(1, round(minutes * config.minutes)),
    )


def of_fit(config: Configuration, system: str) -> Request:
    """Return what a fit requests: the shares that its system declares."""
    memory, minutes = config.systems[system].part.cost
    return share(config, memory, minutes)


def of_ranks(config: Configuration, setting: str) -> Request:
    """Return what the ranking of a setting requests; measured for twelve directions."""
    directions = 2 * len(config.setting_by_name[setting].pairs)
    return share(config, memory=0.5, minutes=2 * max(1, directions / 12))


def first_look(config: Configuration) -> list[Row]:
    """Return what makes a first table: cheap systems in the first setting that has the main task.

    The first system of each module is cheap, unless it is slow, or waits for word vectors or
    translation tables. If the setting has none, its first system is taken.
    """
    rows_of_task = [row for row in config.matrix if row.task == config.main_task]
    first_row = rows_of_task[0]
    rows = [row for row in rows_of_task if row.setting == first_row.setting]
    cheap = _cheap_systems(config)
    rows_of_cheap = [row for row in rows if row.system in cheap]
    if rows_of_cheap:
        return rows_of_cheap
    return [row for row in rows if row.system == first_row.system]


def _cheap_systems(config: Configuration) -> list[str]:
    """Return the first system of each module, if it is cheap."""
    first_of_modules: dict[str, Entry] = {}
    for entry in config.systems.values():
        first_of_modules.setdefault(entry.module, entry)
    return [entry.name for entry in first_of_modules.values() if _is_cheap(entry.part)]


def _is_cheap(system: System) -> bool:
    _, minutes = system.cost
    _, usual_minutes = System.cost
    waits = "vectors" in system.needs or "alignments" in system.needs
    return minutes <= usual_minutes and not waits
