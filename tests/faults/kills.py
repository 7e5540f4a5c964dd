"""Processes that are killed, interrupted or cancelled, at random moments of a run from nothing."""

import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.faults import judge, tiny
from tests.faults.bench import Bench, Outcome

KILL, TERM, INT = signal.SIGKILL, signal.SIGTERM, signal.SIGINT
CHAIN = 10  # faults on the way of one run to its end
BEGINNING = 2.0  # seconds in which only Python starts


@dataclass(frozen=True)
class Blow:
    """What is done to which process: the main one, all of its session, or any child."""

    whom: str
    number: signal.Signals
    orphans: str = "awaited"  # or "left": jobs go on while the run is resumed; "ended" with it


BLOWS = {
    "hard kill of the main process": [
        Blow("main", KILL),
        Blow("main", KILL, "left"),
        Blow("session", KILL),
    ],
    "hard kill of a random child": [Blow("child", KILL)],
    "termination and interruption of the main process": [
        Blow("main", TERM),
        Blow("main", INT),
        Blow("session", INT),
    ],
}


def chains(kind: str):
    """A family: runs from nothing, each hit several times."""

    def inject(bench: Bench, count: int) -> Iterator[Outcome]:
        chance, left, targets = bench.random(kind), count, []
        while left > 0:
            found = [*_chain(bench, kind, min(CHAIN, left), chance, targets)]
            yield from found
            left, targets = left - len(found) if found else 0, [judge.ENOUGH]

    return inject


def _chain(bench: Bench, kind: str, number: int, chance, targets) -> Iterator[Outcome]:
    place, injected, orphans = bench.new("killed"), [], []
    longest = BEGINNING + bench.usual / 6
    while len(injected) < number:
        blow, moment = chance.choice(BLOWS[kind]), chance.uniform(BEGINNING, longest)
        process = place.start(*targets)
        orphans.append(process.pid)
        hit = _strike(process, blow, moment, chance)
        if blow.orphans == "awaited" or hit is None:
            place.wait(process)
        else:
            process.wait()
        if hit is None:
            longest = max(BEGINNING + 1, longest / 2)
            if process.returncode == 0:
                break
            continue
        injected.append(Outcome(kind, f"{blow.number.name} to {hit}", moment=round(moment, 2)))
    yield from bench.settle(place, injected, *targets)
    for session in orphans:
        tiny.end(session)


def _strike(process: subprocess.Popen, blow: Blow, moment: float, chance) -> str | None:
    """Wait for the moment and for a process to hit; says which one it was, None for none."""
    due = time.monotonic() + moment
    while process.poll() is None:
        pids = _targets(process.pid, blow.whom) if time.monotonic() >= due else []
        if pids:
            pid = chance.choice(pids)
            said = f"{blow.whom}: {_name(pid)}"
            hit = [tiny.kill(x, blow.number) for x in (pids if blow.whom == "session" else [pid])]
            if any(hit):
                return said + (", its jobs go on" if blow.orphans == "left" else "")
        time.sleep(0.02)
    return None


def _targets(main: int, whom: str) -> list[int]:
    if whom == "main":
        return [main]
    return [pid for pid in tiny.members(main) if whom == "session" or pid != main]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def _name(pid: int) -> str:
    """The script of a job, or the first words of the command."""
    words = _command(pid).split()
    scripts = [Path(x).name.partition(".")[2] for x in words if x.endswith(".py")]
    return scripts[-1] if scripts else " ".join(Path(x).name for x in words[:3])


KINDS = {kind: chains(kind) for kind in BLOWS}
