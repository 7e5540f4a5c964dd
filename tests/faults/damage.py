"""Ways in which a file may be no longer what a job made."""

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.faults.tiny import LANGUAGES, Place

SWAPPED = {"aa": "bb", "bb": "aa", "cr5": "procrustes_identical", "procrustes_identical": "cr5"}
VERSION = re.compile(rb'("(?:format|version)"\s*:\s*)(\d+)')

Change = Callable[[Path, Place, Place, random.Random], bytes | None]


def truncated(path: Path, *_) -> bytes | None:
    """The first half."""
    return path.read_bytes()[: path.stat().st_size // 2]


def cut_short(path: Path, *_) -> bytes | None:
    """All but the last byte."""
    return path.read_bytes()[:-1]


def emptied(path: Path, *_) -> bytes | None:
    """Nothing of it."""
    return b""


def zeroed(path: Path, *_) -> bytes | None:
    """Zeros, as after a loss of power."""
    return bytes(path.stat().st_size)


def flipped(path: Path, place: Place, other: Place, chance: random.Random) -> bytes | None:
    """One bit is another."""
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def of_another(path: Path, place: Place, other: Place, chance: random.Random) -> bytes | None:
    """The file of another language or of another system of the same run."""
    parts = path.relative_to(place.results).parts
    stems = [name.split(".")[0] for name in parts]
    swapped = (SWAPPED.get(x, x) + name[len(x) :] for x, name in zip(stems, parts, strict=True))
    return _read(place.results.joinpath(*swapped))


def of_another_run(path: Path, place: Place, other: Place, chance: random.Random) -> bytes | None:
    """The same file of a run on another corpus, with another vocabulary."""
    return _read(other.results / path.relative_to(place.results))


def of_another_version(path: Path, *_) -> bytes | None:
    """A format of the future, where the file says its format."""
    return VERSION.sub(rb"\g<1>99", path.read_bytes())


def random_bytes(path: Path, place: Place, other: Place, chance: random.Random) -> bytes | None:
    """Noise of the same length."""
    return chance.randbytes(path.stat().st_size)


def deleted(path: Path, *_) -> bytes | None:
    """No file."""
    return None


WAYS: dict[str, Change] = {
    "truncated": truncated,
    "cut short by a byte": cut_short,
    "emptied": emptied,
    "zeroed": zeroed,
    "a bit flipped": flipped,
    "of another language or system": of_another,
    "of another run and vocabulary": of_another_run,
    "of another format version": of_another_version,
    "noise": random_bytes,
    "deleted": deleted,
}


def do(path: Path, way: str, chance: random.Random, place: Place, other: Place, new: bool) -> bool:
    """Damage a file; says whether it is another one now.

    Args:
        path: of the file, below the results of `place`.
        way: a key of `WAYS`.
        chance: which bit.
        place: the run that it is of.
        other: a run to take files from.
        new: with a new time, that of its folder's too; else with that which it had.
    """
    before, times = path.read_bytes(), path.stat()
    after = WAYS[way](path, place, other, chance) if before else before
    if after == before:
        return False
    if after is None:
        path.unlink()
    else:
        path.write_bytes(after)
    if new:
        _touch(path, place)
    elif path.exists():
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    return True


def replace(path: Path, place: Place, other: Place) -> bool:
    """Put a whole output of the other run in the place of this one's; its times are new."""
    there = other.results / path.relative_to(place.results)
    if not there.is_dir():
        return False
    shutil.rmtree(path)
    shutil.copytree(there, path, copy_function=shutil.copyfile)
    return True


def _touch(path: Path, place: Place) -> None:
    for folder in path.parents:
        if (folder / ".snakemake_timestamp").exists():
            (folder / ".snakemake_timestamp").touch()
        if folder == place.results:
            return


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


assert set(LANGUAGES) < set(SWAPPED)
