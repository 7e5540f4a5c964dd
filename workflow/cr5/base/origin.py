"""Where a result comes from, passed on from job to job.

A draw starts it with the run's seed and the checksum of the corpus. Every later job joins the
origins of its inputs, adds its own settings and code, and writes the result beside its output.
No job takes an origin from the current configuration, so none can name what did not make it.
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
        seed: the run's seed.
        configuration: checksum of all settings that the result depends on.
        corpus: checksum of the bags of words of all languages.
        code: version and commit of the package, of each job on the way here.
        own: kinds of processors that jobs used in full (`processor: own`); the last digits depend
            on them.
    """

    seed: int
    configuration: str
    corpus: str
    code: tuple[str, ...]
    own: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return it in words, for readers of a table."""
        own = f", all of a processor used ({' and '.join(self.own)})" if self.own else ""
        return (
            f"seed {self.seed}, configuration {self.configuration}, corpus {self.corpus}, "
            f"code {' and '.join(self.code)}{own}"
        )

    def then(self, settings: Any) -> "Origin":
        """Return the origin of what is made of this with these settings."""
        return joined([self], settings)


def first(seed: int, settings: Any, corpus: Any) -> Origin:
    """Return the origin of what is made from the corpus itself.

    Args:
        seed: the run's seed.
        settings: the job's settings; JSON-serialisable.
        corpus: what identifies it, such as checksums; JSON-serialisable.
    """
    return Origin(seed, checksum(settings), checksum(corpus), (code(),))


def joined(parts: Iterable[Origin], settings: Any = None) -> Origin:
    """Return the origin of what is made of several results; order and duplicates do not matter.

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


def of_all(paths: Iterable[str | Path]) -> Origin:
    """Read the origins of several results and return the origin of what is made of them.

    Args:
        paths: as for `read`.

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
    return joined(parts.values())


def chained(*steps: Any) -> str:
    """Return the configuration of the output of a chain of jobs, from the settings of each."""
    first, *later = steps
    configuration = checksum(first)
    for settings in later:
        configuration = checksum([[configuration], settings])
    return configuration


def of_run(expected: Mapping[str | Path, str | None], configuration: str) -> Origin:
    """Return the origin of what is made of a whole run; it names the run's configuration.

    Args:
        expected: the configuration that each result must have been made with, by path; None for
            any.
        configuration: checksum of all the run's settings.

    Raises:
        UserError: as for `of_all`; or a result was made with settings other than the run's.
    """
    source = of_all(expected)
    for path, settings in expected.items():
        if (found := read(path)[0].configuration) != (settings or found):
            raise UserError(
                f"{path}: made with other settings than this run has (configuration {found}, "
                f"expected {settings}); remove {path} and run again"
            )
    return replace(source, configuration=configuration)


def checksum(content: Any) -> str:
    """Return a short checksum of JSON-serialisable content; key order does not matter."""
    text = json.dumps(content, sort_keys=True, default=list)
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


@cache
def code() -> str:
    """Return the version and, in a checkout, the commit; `-dirty` if the workflow changed since."""
    try:
        _git("ls-files", "--error-unmatch", "__init__.py")  # fails outside a checkout
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
    """Return the JSON form; `own` is left out if empty."""
    return {key: value for key, value in asdict(origin).items() if key != "own" or value}


def from_json(content: Mapping[str, Any]) -> Origin:
    """Return the origin that `as_json` wrote."""
    several = {"code": tuple(content["code"]), "own": tuple(content.get("own", ()))}
    return Origin(**{**content, **several})


def write(path: str | Path, origin: Origin, **more: Any) -> None:
    """Write a result's origin and further keys to a JSON file.

    Args:
        path: the file.
        origin: the result's origin.
        more: further keys; JSON-serialisable.
    """
    sealed_json.write(path, {"origin": as_json(origin), **more})


def read(path: str | Path, owner: str | Path | None = None) -> tuple[Origin, dict[str, Any]]:
    """Read an origin and the further keys beside it.

    Args:
        path: a file that `write` wrote, or a folder artefact, whose label has the origin.
        owner: what to remove if it cannot be read; defaults to `path`.

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
