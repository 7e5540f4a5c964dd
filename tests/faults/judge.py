"""Whether a run survived: equal to an undisturbed one, or an error said what to remove."""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cr5.base import provenance
from cr5.base.errors import UserError
from cr5.plan import manifest
from tests.faults.tiny import INPUTS, Done, Place

# One page tells how long jobs took, run.json of the machine, the manifest of that; the lock is what
# the last process left.
NEVER_ALIKE = ("jobs.html", "run.json", "manifest.json", ".lock")
OF_A_RUN = ("logs", "benchmarks")
# The target that is enough where tables and figures need not be made, and what comes with it.
ENOUGH = "results/tiny/tables/scores.csv"
BEFORE = ("documents", "bags", "draws", "settings", "vectors", "models", "ranks")
COLLECTED = tuple(
    f"tables/{x}.csv"
    for x in ("scores", "repetitions", "curves", "mean_curves", "left_out", "means", "significance")
)
TEMPORARY = re.compile(r"\.(part|scratch)-|\.again-|^tmp|partial")
ERROR = re.compile(
    r"^(?:\[[^\]]*\] )?(?:Error: |run: |cr5 verify: |WorkflowError[^\n]*:\n(?!Error: ))(.+)$",
    re.MULTILINE,
)
# An error names a path first; what is to be removed is that ("it"), or named itself.
REMOVE = re.compile(
    r"\b[Rr]emove ((?:(?!\b[Rr]emove ).)+?),? and (?:run|rank|fit) (?:[a-z]+ )*again"
)
TOUCH = re.compile(r"\btouch (.+?), and run again")
BEGINS = re.compile(r": | does not say| do not belong together")
TRACEBACK = "Traceback (most recent call last)"
ROUNDS = 12


class NotSurvivedError(Exception):
    """What the judge does not let pass."""


@dataclass
class Survived:
    """How a run came to its end.

    Attributes:
        removed: what errors told to remove, in order; empty where nothing had to be.
        errors: what they said.
    """

    removed: list[str]
    errors: list[str]


@dataclass(frozen=True)
class Reference:
    """Checksums of an undisturbed run: of results, by path below them, and of inputs."""

    results: dict[str, str]
    inputs: dict[str, str]

    @classmethod
    def of(cls, place: Place) -> "Reference":
        """Read what a finished run made."""
        return cls(dict(_results(place)), dict(_inputs(place)))

    def differences(self, place: Place, whole: bool = True) -> list[str]:
        """Say what is not as it should be; of a run that made but a part, what is there."""
        found = dict(_results(place))
        due = [x for x in self.results if whole or _comes_first(x)]
        said = [*_compared(self.results, found, due), *_left_over(place)]
        inputs = _compared(self.inputs, dict(_inputs(place)), self.inputs)
        return [*said, *(f"input {x}" for x in inputs), *_unlike_manifest(place, whole)]


def resume(place: Place, *arguments: str) -> Survived:
    """Run again, as the documentation says, until it ends well; remove what errors tell to.

    Raises:
        NotSurvivedError: an error does not say what to do, or tells to remove what is no result.
    """
    found = Survived([], [])
    for _ in range(ROUNDS):
        done = place.run(*arguments)
        if done.code == 0:
            return found
        _follow(place, done, found)
    raise NotSurvivedError(f"no end after {ROUNDS} rounds: {found.errors}")


def errors_of(done: Done) -> list[str]:
    """What a run said as errors, each once.

    Raises:
        NotSurvivedError: a traceback is among it, or nothing.
    """
    if TRACEBACK in done.text:
        raise NotSurvivedError(f"a traceback: {tail(done.text.partition(TRACEBACK)[2], 1500)}")
    found = [*dict.fromkeys(ERROR.findall(done.text))]
    if not found:
        raise NotSurvivedError(f"status {done.code} without an error: {tail(done.text)}")
    return found


def tail(text: str, characters: int = 600) -> str:
    """The end of what was said, on one line."""
    return " | ".join(text[-characters:].split("\n"))


def to_remove(place: Place, error: str) -> list[Path]:
    """Paths that an error tells to remove.

    Raises:
        NotSurvivedError: one is not there, or is none of the results.
    """
    found = []
    for name in _named(error):
        path = Path(os.path.normpath(place.folder / name.strip("`',")))
        if not {place.results, place.folder / ".snakemake"} & {*path.parents}:
            raise NotSurvivedError(f"told to remove what is no result, {path}: {error}")
        found.append(path)
    return found


def _named(error: str) -> Iterator[str]:
    """Names as an error has them; what it begins with, where it says "it"."""
    for listed in REMOVE.findall(error):
        begins = BEGINS.split(error)[0]
        if listed.startswith("the one that is of another run, or both"):
            yield from begins.split(" and ")
        elif listed == "the folder":
            yield begins.removesuffix("/fit.json")
        elif listed == "it":
            yield begins
        else:
            yield from listed.split(", ")


def take_scores(place: Place) -> None:
    """Remove the table of scores."""
    remove(place.results / "tables" / "scores.csv")


def remove(path: Path) -> None:
    """Remove a file or folder, as a reader of the message would."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _follow(place: Place, done: Done, found: Survived) -> None:
    errors = errors_of(done)
    paths = [path for error in errors for path in to_remove(place, error)]
    dated = [place.folder / name for error in errors for name in TOUCH.findall(error)]
    for path in dated:
        os.utime(path)
    found.errors += errors
    if dated and not paths:
        return
    if not paths:
        raise NotSurvivedError(f"no word on what to remove: {errors}")
    if not any(path.exists() for path in paths):
        raise NotSurvivedError(f"told to remove what is not there: {errors}")
    for path in paths:
        remove(path)
    found.removed += [os.path.relpath(path, place.results) for path in paths]


def _results(place: Place) -> Iterator[tuple[str, str]]:
    # What lies behind links belongs to it.
    walked = os.walk(place.results, followlinks=True)
    for path in sorted(Path(folder, file) for folder, _, files in walked for file in files):
        name = path.relative_to(place.results)
        if name.parts[0] not in OF_A_RUN and path.name != provenance.TIMESTAMP:
            yield name.as_posix(), "" if name.as_posix() in NEVER_ALIKE else _sha256(path)


def _inputs(place: Place) -> Iterator[tuple[str, str]]:
    for name in INPUTS:
        top = place.folder / name
        for path in sorted([top, *top.rglob("*")]):
            if path.is_file():
                yield path.relative_to(place.folder).as_posix(), _sha256(path)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _comes_first(name: str) -> bool:
    """Whether it is made on the way to the scores, or with them."""
    return name.split("/")[0] in BEFORE or name in COLLECTED


def _compared(should: dict[str, str], found: dict[str, str], due: Iterable[str]) -> Iterator[str]:
    for name, sha256 in found.items():
        if name not in should:
            yield f"{name}: not of the undisturbed run"
        elif sha256 != should[name]:
            yield f"{name}: silently different"
    yield from (f"{name}: lost" for name in due if name not in found)


def _left_over(place: Place) -> Iterator[str]:
    for path in place.results.parent.rglob("*"):
        if path.is_dir() and TEMPORARY.search(path.name):
            yield f"{path.relative_to(place.folder)}: a temporary that remains"


def _unlike_manifest(place: Place, whole: bool) -> Iterator[str]:
    try:
        made = manifest.read(place.results)
    except UserError as error:
        yield str(error)
        return
    for each in manifest.differences(place.results, made):
        yield f"{each.path}: {each.what}, says the manifest"
    if not whole:
        return
    json.loads((place.results / "run.json").read_text(encoding="utf-8"))
    page = (place.results / "report.html").read_text(encoding="utf-8")
    if not page.rstrip().endswith("</html>"):
        yield "report.html: not whole"
