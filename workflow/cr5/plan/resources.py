"""What a job requests from a cluster: memory and minutes by rule and system.

Both are shares of `memory_mb` and `minutes` of the configuration, rounded up from these peaks; jobs
that hold one file, whatever the corpus, request a fixed number. Fits request what their system
declares (`System.cost`). Rules not listed write a table, a
figure or a note, and request what the profile says: they took at most 0.25 GB and 19 s.

Measured on a made-up corpus in the shape of the paper's (1.4 million documents in four languages,
200,000 words each, 216 million nonzeros; `memory_mb` 16000, `minutes` 60), one thread:

    draw                              0.6 GB    27 s
    setting                           0.4 GB    18 s
    figure of overlaps                0.5 GB    20 s     (and 2 s for each further setting)
    what any fit is given (joint)     6.6 GB    48 s     (files not yet in memory)
    fit, lexical_overlap              6.6 GB    22 s
    fit, Cr5, one ridge, 2 threads   10.8 GB    14 min   (solver and its features alone)
    rank, r = 300, cosine             4.4 GB    34 s     (12 directions, up to 151,000 candidates)
    rank, lexical_overlap, cosine     3.5 GB    27 s

Tests between four systems in twelve directions of 1,000 queries (made-up ranks, cosine and CSLS)
took 19 CPU-seconds and 0.3 GB; they grow with queries, repetitions and pairs of systems.

CSLS adds hardly any memory, but 5.5 CPU minutes a direction where both languages have 200,000
candidates: 66 for twelve. A further ridge of Cr5 took half as long as the first, on 20,000 concepts
(both in benchmarks/README.md).

Measured on the default corpus (`memory_mb` 4000): fits at most 0.7 GB and 172 s (advrefine; Cr5
22 s), vectors 0.3 GB and 25 s; on a busy machine scores with tests between systems 0.5 GB and
143 s, figures 0.3 GB and 65 s; all else at most 0.35 GB and 25 s. A part of a dump takes 0.3 GB.

Not measured in the paper's shape: bags and vectors; fits that start from vectors, which request
the whole memory and hours; data and ranks of tasks other than documents.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cr5.base.parts import System
from cr5.plan.config import needs, part
from cr5.plan.matrix import settings

LEAST_MB = 1000  # no job of the default corpus took 700; one on a cluster has a snakemake of 270


@dataclass(frozen=True)
class Request:
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
