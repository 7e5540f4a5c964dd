"""What fails inside a job: memory, room, reading, or the job itself in the midst of its files."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

from tests.faults import judge
from tests.faults.bench import EQUAL, FAILED, NAMED, SKIPPED, Bench, Outcome
from tests.faults.judge import NotSurvivedError

WITHIN = Path(__file__).parent / "within"
# Scripts in the order in which a run comes to them, so that one run meets all; what each makes.
TARGETS = {
    "documents": "documents/aa.parquet",
    "bags": "bags/aa",
    "draw": "draws/1",
    "vectors": "vectors/aa/1.parquet",
    "setting": "settings/joint/1.parquet",
    "task_data": "tasks/lines/aa",
    "fit": "models/joint/cr5/1",
    "rank": "ranks/joint/cr5/1/documents",
    "scores": "tables/scores.csv",
    "tables": "tables/systems.csv",
    "figures": "figures/overlap.png",
    "explore": "explore",
}
FROM_OUTSIDE = ("documents", "task_data")  # who read nothing that a job made
KINDS_OF = {
    "out of memory in a job": (["MemoryError", "address space"], [True, False]),
    "no room at a given write": (["ENOSPC", "EDQUOT"], [True]),
    "a file that may grow no more": (["file size"], [True]),
    "a read or an open that fails": (["EIO", "ESTALE", "EMFILE", "EACCES"], [False]),
    "a job that dies between its files": (["SIGKILL", "SIGXCPU", "SIGTERM"], [True]),
}
SILENT = ("SIGKILL", "SIGXCPU", "SIGTERM", "address space")  # who dies of these says nothing


def once_each(kind: str):
    """A family: one run from nothing, in which job after job meets a fault."""

    def inject(bench: Bench, count: int) -> Iterator[Outcome]:
        chance, place, injected = bench.random(kind), bench.new("inside"), []
        whats, ways = KINDS_OF[kind]
        for job in _jobs(chance, ways, count):
            what, writing = chance.choice(whats), chance.choice(ways)
            outcome = _meet(place, kind, job, what, writing, chance.randint(1, 2))
            if outcome:
                injected.append(outcome)
        yield from bench.settle(place, injected)

    return inject


def _jobs(chance, ways, count):
    """Some jobs, in the order of a run."""
    able = [job for job in TARGETS if all(ways) or job not in FROM_OUTSIDE]
    return [able[i] for i in sorted(chance.sample(range(len(able)), min(count, len(able))))]


def _meet(place, kind, job, what, writing, number) -> Outcome | None:
    """Run until that fault; None where no job of the kind was left to be done."""
    began, done = time.monotonic(), place.folder.with_name(f"done-{job}")
    told = {"job": job, "what": what, "writing": writing, "number": number, "done": str(done)}
    environment = {"BEFORE": str(WITHIN), "CR5_FAULT": json.dumps(told)}
    target = f"results/tiny/{TARGETS[job]}"
    run = place.run(target, **environment)
    if not done.exists():
        return None
    name = f"{what} at {'write' if writing else 'read'} {number} of {job}"
    ended, said = _said(run, what)
    return Outcome(kind, name, ended, None, time.monotonic() - began, said)


def _said(run, what: str) -> tuple[str, str]:
    if run.code == 0:
        return SKIPPED, "it was no matter to the job"
    if what in SILENT and judge.TRACEBACK not in run.text:
        return EQUAL, ""
    try:
        return NAMED, "; ".join(judge.errors_of(run))
    except NotSurvivedError as error:
        return FAILED, str(error)


KINDS = {kind: once_each(kind) for kind in KINDS_OF}
