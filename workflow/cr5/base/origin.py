"""Where a result comes from, carried along from job to job.

A draw begins it with the seed of the run and the checksum of the corpus. Every later job joins
the origins of what it read, adds its own settings and code, and writes the sum beside its result.
No job takes an origin from the present configuration, so none can name what did not make it.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from cr5 import __version__
from cr5.base import artefacts, sealed_json
from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED

PACKAGE = Path(__file__).parents[1]
DIGITS = 12


@dataclass(frozen=True)
class Origin:
    """What made a result.

    Attributes:
        seed: of the run.
        configuration: checksum of all settings on which the result depends.
        corpus: checksum of the bags of words of all languages.
        code: version and commit of the package in each job on the way here.
        own: kinds of processors all of which jobs could use (`processor: own`): last digits are
            theirs.
    """

    seed: int
    configuration: str
    corpus: str
    code: tuple[str, ...]
    own: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it in words, for readers of a table."""
        own = f", all of a processor used ({' and '.join(self.own)})" if self.own else ""
        return (
            f"seed {self.seed}, configuration {self.configuration}, corpus {self.corpus}, "
            f"code {' and '.join(self.code)}{own}"
        )

    def then(self, settings: Any) -> "Origin":
        """Return the origin of what these settings make of this."""
        return joined([self], settings)


def first(seed: int, settings: Any, corpus: Any) -> Origin:
    """Return the origin of what is made from the corpus itself.

    Args:
        seed: of the run.
        settings: of the job; JSON-able.
        corpus: what identifies it, such as checksums; JSON-able.
    """
    return Origin(seed, checksum(settings), checksum(corpus), (code(),))


def joined(parts: Iterable[Origin], settings: Any = None) -> Origin:
    """Return the origin of what is made of several results; order and doubles do not matter.

    Raises:
        UserError: they come from different seeds or corpora.
    """
    parts = list(parts)
    sources = sorted({(part.seed, part.corpus) for part in parts})
    if len(sources) > 1:
        found = "; ".join(f"seed {seed}, corpus {corpus}" for seed, corpus in sources)
        raise UserError(
            f"results of different runs would be mixed ({found}): run the workflow again without "
            "naming a target, or remove what the other run has made"
        )
    configurations = sorted({part.configuration for part in parts})
    versions = {code()}.union(*(part.code for part in parts))
    [(seed, corpus)] = sources
    own = tuple(sorted({kind for part in parts for kind in part.own}))
    return Origin(seed, checksum([configurations, settings]), corpus, tuple(sorted(versions)), own)


def of_all(paths: Iterable[str | Path], settings: Any = None) -> Origin:
    """Read the origins of several results, and return that of what is made of them.

    Args:
        paths: as of `read`.
        settings: of the job; JSON-able.

    Raises:
        UserError: a file is missing or damaged, or two come from different seeds or corpora.
    """
    parts = {str(path): read(path)[0] for path in paths}
    for path, part in parts.items():
        first = next(iter(parts))
        if (part.seed, part.corpus) != (parts[first].seed, parts[first].corpus):
            raise UserError(
                f"{first} and {path} do not belong together: they are of different runs "
                f"({parts[first]}; {part}). Remove the one that is of another run, or both, and "
                "run again."
            )
    return joined(parts.values(), settings)


def chained(*steps: Any) -> str:
    """Return the configuration of what a chain of jobs makes with these settings, one a job."""
    first, *later = steps
    configuration = checksum(first)
    for settings in later:
        configuration = checksum([[configuration], settings])
    return configuration


def of_run(expected: Mapping[str | Path, str], configuration: str) -> Origin:
    """Return the origin of what a whole run makes; all of it names one configuration.

    Args:
        expected: by path of a result the configuration that it must have been made with.
        configuration: of the run: all of its settings.

    Raises:
        UserError: as `of_all`; or a result was made with other settings than the run has.
    """
    source = of_all(expected)
    for path, settings in expected.items():
        if (found := read(path)[0].configuration) != settings:
            raise UserError(
                f"{path}: made with other settings than this run has (configuration {found}, "
                f"expected {settings}); remove {path} and run again"
            )
    return replace(source, configuration=configuration)


def of_finished(paths: Iterable[str | Path], configuration: str) -> Origin:
    """Return the origin of what is made of results, some of which name the run's configuration.

    Args:
        paths: as of `of_all`; the first names the configuration of the run that made it.
        configuration: of the present run.

    Raises:
        UserError: as `of_all`; or the first is of another configuration.
    """
    first, *_ = paths = list(paths)
    source, found = of_all(paths), read(first)[0].configuration
    if found != configuration:
        raise UserError(
            f"{first}: made with another configuration ({found}, expected {configuration}); remove "
            f"{first} and run again"
        )
    return replace(source, configuration=configuration)


def checksum(content: Any) -> str:
    """Return a short checksum of something JSON-able; keys of mappings in any order."""
    text = json.dumps(content, sort_keys=True, default=list)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


@cache
def code() -> str:
    """Return version and, in a checkout, commit; `-dirty` where the workflow was changed since."""
    try:
        _git(
            "ls-files", "--error-unmatch", "__init__.py"
        )  # fails where it is no part of a checkout
        commit = _git("rev-parse", "--short=10", "HEAD")
        changed = _git("status", "--porcelain", "--", "..", ":(top)Snakefile")
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__}+{commit}{'-dirty' if changed else ''}"


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(PACKAGE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return done.stdout.strip()


def as_json(origin: Origin) -> dict[str, Any]:
    """Return the form that is written; `own` where there is something to tell."""
    return {key: value for key, value in asdict(origin).items() if key != "own" or value}


def from_json(content: Mapping[str, Any]) -> Origin:
    """Return what `as_json` gave."""
    several = {"code": tuple(content["code"]), "own": tuple(content.get("own", ()))}
    return Origin(**{**content, **several})


def write(path: str | Path, origin: Origin, **more: Any) -> None:
    """Write an origin, and what else is to be told of a result, to a JSON file.

    Args:
        path: the file.
        origin: of the result.
        more: JSON-able.
    """
    sealed_json.write(path, {"origin": as_json(origin), **more})


def read(path: str | Path, owner: str | Path | None = None) -> tuple[Origin, dict[str, Any]]:
    """Read an origin, and what else stands beside it.

    Args:
        path: a file that `write` wrote, or an artefact that is a folder: its label has the origin.
        owner: what is to be removed where it cannot be read; `path` by default.

    Raises:
        UserError: the file is missing or damaged.
    """
    owner, path = owner or path, Path(path)
    if path.is_dir():
        more = {"origin": artefacts.label_of(path).origin}
    else:
        more = sealed_json.read(path, owner)
    try:
        return from_json(more.pop("origin")), more
    except DAMAGED as error:
        raise UserError(
            f"{path}: does not say where its result comes from ({error}); remove {owner} and run "
            "again"
        ) from error
