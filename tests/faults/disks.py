"""Disks that are full, of room or of files, at every stage; results that cannot be written."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from tests.faults import judge
from tests.faults.bench import FAILED, NAMED, SKIPPED, Bench, Outcome
from tests.faults.tiny import Done, Place

FULL, FORBIDDEN = "disk full", "results that cannot be written"
PAGE = 4096
ROOM = "size=64m,nr_inodes=10k"
REMEDIES = ("Make room", "not permitted", "is no folder. Move it")
# Snakemake itself may show where it was when the disk was full, if the remedy is told beside.
OURS = ("workflow/cr5/", ".snakemake/scripts/", "workflow/rules/")


def full(bench: Bench, count: int) -> Iterator[Outcome]:
    """A disk of a size at which the run stops, then of a larger one, until it has room."""
    chance, place = bench.random(FULL), bench.new("full")
    found = list(bench.finished.results.rglob("*"))
    used = sum(-(-x.stat().st_size // PAGE) for x in found if x.is_file())
    half = max(1, count // 2)
    sizes = [PAGE * x // 1024 for x in _spread(chance, 4, used, count - half)]
    inodes = _spread(chance, 8, len(found), half)
    yield from _on_disk(bench, place, [f"size={x}k,nr_inodes=10k" for x in sizes])
    yield from _on_disk(bench, bench.new("inodes"), [f"size=64m,nr_inodes={x}" for x in inodes])


def _spread(chance, least: int, most: int, number: int) -> list[int]:
    """So many numbers up to nine tenths of `most`, small ones as likely as large ones."""
    ratio = 0.9 * most / least
    return sorted(int(least * ratio ** chance.random()) for _ in range(number))


def _on_disk(bench: Bench, place: Place, rooms: Sequence[str]) -> Iterator[Outcome]:
    where, injected = place.folder / "results", []
    where.mkdir(exist_ok=True)
    if reason := _mount(["-t", "tmpfs", "-o", rooms[0], "tmpfs", str(where)]):
        yield Outcome(FULL, "a small disk", SKIPPED, said=reason)
        return
    try:
        for room in rooms:
            _mount(["-o", f"remount,{room}", str(where)])
            outcome = _stopped(place, FULL, room)
            injected += [outcome] if outcome else []
        _mount(["-o", f"remount,{ROOM}", str(where)])
        yield from bench.judged(place, injected, lambda: _resumed(place))
    finally:
        subprocess.run(["umount", "-l", str(where)], check=False, stderr=subprocess.DEVNULL)


def _resumed(place: Place) -> tuple[str, str]:
    """To its end; then what lay on the disk is put where it can be removed with the rest."""
    survived = judge.resume(place)
    return (NAMED if survived.errors else "equal"), "; ".join(survived.errors)


def _stopped(place: Place, kind: str, what: str, **options) -> Outcome | None:
    """Run into it; None where that was no obstacle."""
    began = time.monotonic()
    run = place.run(**options)
    if run.code == 0:
        return None
    ended, said = _said(run)
    return Outcome(kind, what, ended, None, time.monotonic() - began, said)


def _said(run: Done) -> tuple[str, str]:
    traceback = run.text.partition(judge.TRACEBACK)[2]
    if any(word in traceback for word in OURS):
        return FAILED, f"a traceback: {judge.tail(traceback, 1500)}"
    lines = [x for x in run.text.splitlines() if any(word in x for word in REMEDIES)]
    return (NAMED, lines[0]) if lines else (FAILED, f"no clear error: {judge.tail(run.text)}")


def forbidden(bench: Bench, count: int) -> Iterator[Outcome]:
    """Finished results of which a part must be made anew and cannot be written, then can."""
    for name, forbid in WAYS.items():
        place = bench.new("forbidden", bench.finished)
        for part in ("tables", "report.html"):
            judge.remove(place.results / part)
        reason, allow = forbid(place.results)
        if reason:
            yield Outcome(FORBIDDEN, name, SKIPPED, said=reason)
            continue
        try:
            outcome = _stopped(place, FORBIDDEN, name)
        finally:
            allow()
        if not outcome:
            outcome = Outcome(FORBIDDEN, name, FAILED, said="it was written all the same")
        yield from bench.settle(place, [outcome])


def _read_only(folder: Path):
    """A read-only mount of the folder on itself."""
    reason = _mount(["--bind", str(folder), str(folder)])
    reason = reason or _mount(["-o", "remount,ro,bind", str(folder)])
    return reason, lambda: subprocess.run(["umount", str(folder)], check=True)


def _file_in_the_way(folder: Path):
    """A file where the folder of tables should be."""
    path = folder / "tables"
    path.write_text("in the way")
    return "", path.unlink


WAYS = {
    "a read-only mount": _read_only,
    "a file where a folder should be": _file_in_the_way,
    "a read-only folder of snakemake's notes": lambda folder: _read_only(
        folder.parents[1] / ".snakemake"
    ),
}


def _mount(arguments: Sequence[str]) -> str:
    return _done(["mount", *arguments])


def _done(command: Sequence[str]) -> str:
    """Do it; returns why it could not be done."""
    if os.geteuid() or not shutil.which(command[0]):
        return f"{command[0]} needs to be there, and root"
    with suppress(OSError):
        done = subprocess.run(command, capture_output=True, text=True)
        return done.stderr.strip() if done.returncode else ""
    return f"{command[0]} does not run"


KINDS = {FULL: full, FORBIDDEN: forbidden}
