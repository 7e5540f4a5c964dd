"""Two runs at once in one folder: the second is refused, the first is not harmed."""

import time
from collections.abc import Iterator
from dataclasses import replace

from tests.faults import judge
from tests.faults.bench import EQUAL, FAILED, NAMED, Bench, Outcome
from tests.faults.tiny import Place

KIND = "two runs at once"
REFUSED = ("another run (process", "Directory cannot be locked")


def inject(bench: Bench, count: int) -> Iterator[Outcome]:
    """Each way of a second run, while one run goes on; then to the end of that."""
    chance, place = bench.random(KIND), bench.new("first")
    guest = bench.new("second")
    judge.remove(guest.folder / "results")
    (guest.folder / "results").symlink_to(place.folder / "results")
    process, injected = place.start(judge.ENOUGH), []
    lock = place.results / ".lock"
    while process.poll() is None and not (lock.is_file() and lock.read_text()):
        time.sleep(0.05)
    began = time.monotonic()
    while process.poll() is None and len(injected) < count:
        way = chance.choice(list(WAYS))
        moment = round(time.monotonic() - began, 2)
        ended, said = WAYS[way](place, guest)
        if process.poll() is None:  # else it was not at once
            injected.append(Outcome(KIND, way, ended, moment, said=said))
    first = process.wait()
    said = "" if first == 0 else place.said.read_text()[-1500:]
    injected = [x if first == 0 else replace(x, ended=FAILED, said=said) for x in injected]
    yield from bench.judged(place, injected, lambda: (EQUAL, ""), whole=False)
    guest.remove()


def _same_folder(place: Place, guest: Place) -> tuple[str, str]:
    """The same command again, in the same folder."""
    return _refused(_beside(place).run(judge.ENOUGH))


def _unlocked(place: Place, guest: Place) -> tuple[str, str]:
    """Likewise after `--unlock`, which is meant for killed runs."""
    beside = _beside(place)
    beside.run("--unlock", judge.ENOUGH)
    return _refused(beside.run(judge.ENOUGH))


def _other_checkout(place: Place, guest: Place) -> tuple[str, str]:
    """From another copy of the workflow, with the same folder of results."""
    return _refused(guest.run(judge.ENOUGH))


def _beside(place: Place) -> Place:
    """The same folder, by another name, so that what the first says stays its own."""
    other = place.folder.with_name("same")
    if not other.exists():
        other.symlink_to(place.folder)
    return Place(other)


def _refused(run) -> tuple[str, str]:
    lines = [x for x in run.text.splitlines() if any(word in x for word in REFUSED)]
    if run.code and lines and judge.TRACEBACK not in run.text:
        return NAMED, lines[0].strip()
    return FAILED, f"status {run.code}: {judge.tail(run.text)}"


WAYS = {
    "the same folder": _same_folder,
    "the same folder, unlocked": _unlocked,
    "another checkout": _other_checkout,
}
KINDS = {KIND: inject}
