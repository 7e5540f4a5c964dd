"""What a job requests from a cluster: memory and minutes by rule and system.

Both are shares of `memory_mb` and `minutes` of the configuration, rounded up from peaks; jobs that
hold one file, whatever the corpus, request a fixed number. Fits request what their system declares
(`System.cost`). Rules that are not listed request what the profile says.

On a made-up corpus in the shape of the paper's (1.4 million documents in four languages, 200,000
words each; `memory_mb` 16000, `minutes` 60, one thread) a fit of Cr5 took 10.8 GB and 14 min with
one ridge and two threads, ranks 4.4 GB and 34 s for twelve directions by cosine and 66 min with
CSLS, what any fit is given 6.6 GB, draws 0.6 GB and 27 s. On the default corpus (4000) fits took at
most 0.7 GB and 172 s, all else 0.5 GB and 143 s. Not measured in the paper's shape: bags, vectors
and fits that start from these, which request the whole memory and hours; tasks but documents.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from cr5.base.parts import System
from cr5.plan.config import needs, part
from cr5.plan.matrix import settings

LEAST_MB = 1000  # no job of the default corpus took 700; one on a cluster has a snakemake of 270


class Request(NamedTuple):
    """What one job requests."""

    memory_mb: int
    minutes: int


# Shares of memory_mb and minutes.
RULES = {
    "documents": (0.5, 1),
    "bags": (1, 1),
    "draw": (0.1, 0.25),
    "setting": (0.1, 0.25),
    "vectors": (1, 8),
    "align": (1, 8),
    "fit": System.cost,
    "task_data": (0.25, 0.5),
    "rank": (0.5, 2),
    "scores": (0.5, 2),
    "report": (0.25, 0.5),
    "explore": (0.5, 1),
}
GIVEN = Request(2000, 10)  # vectors, of which 200,000 of 300 numbers are a quarter of a GB
# Of one file, or of one language. Fetching takes as long as the network does.
FILES = {
    "source": Request(1000, 60),
    "fetch": Request(1000, 240),
    "pins": Request(1000, 600),
    "download": Request(1000, 600),
    "concepts": Request(2000, 120),
    "part": Request(1000, 240),
    "documents_of_parts": Request(2000, 120),
}


def of(rule: str, config: Mapping[str, Any], wildcards: Any = None) -> Request:
    """Return what a job of a rule requests at its first attempt.

    Args:
        rule: its name.
        config: validated, with `memory_mb` and `minutes`.
        wildcards: the job's wildcards; `system` is the fitted one, `setting` the searched one.
    """
    if rule in FILES:
        return FILES[rule]
    if rule == "vectors" and "path" in config["vectors"]:
        return GIVEN
    if rule == "fit":
        memory, minutes = part(config, "systems", wildcards.system).cost
    else:
        memory, minutes = RULES[rule]
    if rule == "rank":  # measured for twelve directions
        directions = 2 * len(settings(config)[wildcards.setting].pairs)
        minutes *= max(1, directions / 12)
    return Request(
        max(LEAST_MB, round(memory * config["memory_mb"])),
        max(1, round(minutes * config["minutes"])),
    )


def needing_little(config: Mapping[str, Any]) -> list[str]:
    """Return the systems for a first look: the first of each module, without slow ones.

    Systems that start from word vectors or translation tables count as slow: they wait for these.
    """
    systems = config["systems"]
    modules: dict[str, str] = {}
    for name, options in systems.items():
        modules.setdefault(options.get("module", name), name)
    return [
        name
        for name in modules.values()
        if not {"vectors", "alignments"} & {*needs(config, name)}
        and part(config, "systems", name).cost[1] <= System.cost[1]
    ]
