"""What all faults need: undisturbed runs, folders to disturb, and how each fault ended."""

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.faults import judge, tiny
from tests.faults.judge import ENOUGH, NotSurvivedError, Reference
from tests.faults.tiny import Place

EQUAL, NAMED, FAILED, SKIPPED = "equal", "named", "failed", "skipped"
ENDS = {
    EQUAL: "resumed: all tables and files equal",
    NAMED: "a clear error said what to do; after that all equal",
    FAILED: "not survived",
    SKIPPED: "not injected, for the reason given",
}


@dataclass(frozen=True)
class Outcome:
    """One fault and how it ended.

    Attributes:
        kind: the family that the report counts by.
        what: was done, and to which file or process.
        ended: a key of `ENDS`.
        moment: seconds after the start of the run, where it was done to one.
        seconds: from the fault to the verdict; faults done together share them.
        said: by the judge, or by the run where an error named the remedy.
    """

    kind: str
    what: str
    ended: str = EQUAL
    moment: float | None = None
    seconds: float = 0.0
    said: str = ""
    seed: str = ""


@dataclass
class Bench:
    """Undisturbed runs and a source of chance.

    Attributes:
        folder: where everything is.
        seed: of all that is random.
        finished: an undisturbed run; nothing is done to it.
        other: another one, of another corpus with the same languages.
        fresh: what was not run yet.
        usual: seconds that the undisturbed run took.
    """

    folder: Path
    seed: int
    finished: Place
    other: Place
    fresh: Place
    usual: float
    reference: Reference = field(init=False)

    def __post_init__(self):
        self.reference = Reference.of(self.finished)

    def random(self, kind: str) -> random.Random:
        """Chance of a family, whichever others are done."""
        return random.Random(f"{self.seed} {kind}")

    def new(self, name: str, of: Place | None = None) -> Place:
        """A folder of this name with what was not run yet, or with a copy of a finished run."""
        folder = tempfile.mkdtemp(dir=self.folder, prefix="run")
        return (of or self.fresh).copy(Path(folder) / name)

    def settle(
        self, place: Place, injected: Sequence[Outcome], *arguments: str
    ) -> Iterator[Outcome]:
        """Resume, judge, and say of all that was done to a folder how it ended."""

        def resumed() -> tuple[str, str]:
            survived = judge.resume(place, *arguments)
            return NAMED if survived.errors else EQUAL, "; ".join(survived.errors)

        yield from self.judged(place, injected, resumed, whole=not arguments)

    def judged(
        self,
        place: Place,
        injected: Sequence[Outcome],
        resume: Callable[[], tuple[str, str]],
        whole: bool = True,
    ) -> Iterator[Outcome]:
        """Say how it ended; a folder in which something failed is kept, for a look."""
        began = time.monotonic()
        try:
            ended, said = resume()
            if found := self.reference.differences(place, whole):
                ended, said = FAILED, "; ".join(found[:20])
        except (NotSurvivedError, OSError, ValueError) as error:
            ended, said = FAILED, f"{type(error).__name__}: {error}"
        share = (time.monotonic() - began) / max(1, len(injected))
        for each in injected:
            worse = each.ended if each.ended in (FAILED, SKIPPED) else ended
            if each.ended == NAMED and ended == EQUAL:
                worse = NAMED
            told = "; ".join(filter(None, [each.said, said]))
            yield replace(each, ended=worse, said=told, seconds=each.seconds + share)
        if all(each.ended != FAILED for each in injected) and ended != FAILED:
            place.remove()


def prepared(folder: Path, seed: int) -> Bench:
    """Make the undisturbed runs.

    Raises:
        NotSurvivedError: one of them did not end well.
    """
    folder.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    finished = _undisturbed(folder / "finished", 0)
    usual = time.monotonic() - began
    other = _undisturbed(folder / "other", 1, ENOUGH)
    return Bench(folder, seed, finished, other, tiny.prepare(folder / "fresh"), usual)


def _undisturbed(folder: Path, seed: int, *targets: str) -> Place:
    place = tiny.prepare(folder, seed)
    done = place.run(*targets)
    if done.code:
        raise NotSurvivedError(f"an undisturbed run failed: {judge.tail(done.text, 3000)}")
    return place
