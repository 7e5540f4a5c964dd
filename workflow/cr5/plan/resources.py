"""What a job requests from a cluster: memory and minutes.

Most rules say shares of `memory_mb` and `minutes` of the configuration, rounded up from peaks; a
fit requests what its system declares (`System.cost`).

On a made-up corpus in the shape of the paper's (1.4 million documents in four languages, 200,000
words each; `memory_mb` 16000, `minutes` 60, one thread) a fit of Cr5 took 10.8 GB and 14 min with
one ridge and two threads, ranks 4.4 GB and 34 s for twelve directions by cosine and 66 min with
CSLS, what any fit is given 6.6 GB, draws 0.6 GB and 27 s. On the default corpus (4000) fits took at
most 0.7 GB and 172 s, all else 0.5 GB and 143 s. Not measured in the paper's shape: bags, vectors
and fits that start from these, which request the whole memory and hours; tasks but documents.
"""

from cr5.base.parts import System
from cr5.plan.config import Configuration
from cr5.plan.matrix import Row

LEAST_MB = 1000  # no job of the default corpus took 700; one on a cluster has a snakemake of 270


def share(config: Configuration, memory: float, minutes: float) -> tuple[int, int]:
    """Return MB and minutes: shares of the configuration's `memory_mb` and `minutes`."""
    memory, minutes = round(memory * config.memory_mb), round(minutes * config.minutes)
    return max(LEAST_MB, memory), max(1, minutes)


def of_fit(config: Configuration, system: str) -> tuple[int, int]:
    """Return the MB and minutes of a fit."""
    return share(config, *config.systems[system].part.cost)


def of_ranks(config: Configuration, setting: str) -> tuple[int, int]:
    """Return the MB and minutes of a ranking; measured for twelve directions."""
    directions = 2 * len(config.trained[setting].pairs)
    return share(config, 0.5, 2 * max(1, directions / 12))


def first_look(config: Configuration) -> list[Row]:
    """Return what makes a first table: cheap systems in the first setting that has the main task.

    The first system of each module is cheap, unless it is slow, or waits for word vectors or
    translation tables. If the setting has none, its first system is taken.
    """
    rows = [row for row in config.matrix if row.task == config.main_task]
    first = [row for row in rows if row.setting == rows[0].setting]
    of_modules = {entry.module: entry for entry in reversed(config.systems.values())}
    cheap = {
        entry.name
        for entry in of_modules.values()
        if not {"vectors", "alignments"} & {*entry.part.needs}
        and entry.part.cost[1] <= System.cost[1]
    }
    chosen = [row for row in first if row.system in cheap]
    return chosen or [row for row in first if row.system == first[0].system]
