"""Word alignment by eflomal (Östling and Tiedemann 2016): IBM model 1, HMM, HMM with fertility.

The program is run, not linked, with numbers for words, as its documentation describes. It seeds
itself from /dev/urandom and has no option for a seed, so a copy is run that reads a file with the
seed instead. On one thread the same seed then gives the same links, if the program was built for
the same kind of processor (its Makefile has -Ofast -march=native).
"""

import hashlib
import importlib.util
import math
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.files import scratch_file

NAME = "eflomal"
REMEDY = (
    "pip install eflomal==2.0.0 (it is compiled: needs a C compiler with OpenMP, such as gcc), or "
    "build its program and put it on the PATH"
)
URANDOM, SEED = b"/dev/urandom", b"./seed.bytes"  # of equal length
LONGEST = 1023  # most words per sentence that the program accepts
SAMPLERS, NULL_PRIOR = 3, 0.2  # the program's defaults
DIRECTIONS = {"forward": "-f", "reverse": "-r"}
LINK = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)

Sentence = Sequence[int]
Links = list[list[tuple[int, int]]]


def program() -> Path | None:
    """Find the program on the PATH or in the package; None if it is in neither."""
    if found := shutil.which(NAME):
        return Path(found)
    spec = importlib.util.find_spec(NAME)  # imports nothing
    for folder in (spec and spec.submodule_search_locations) or ():
        if os.access(file := Path(folder) / "bin" / NAME, os.X_OK):
            return file
    return None


def usable(first: Sentence, second: Sentence) -> bool:
    """Whether a pair of sentences can be aligned: neither is empty or too long."""
    return all(0 < len(x) <= LONGEST for x in (first, second))


def align(
    pairs: Sequence[tuple[Sentence, Sentence]], seed: int, beside: str | Path, threads: int = 1
) -> tuple[Links, Links]:
    """Align words.

    Args:
        pairs: of `usable` sentences, each a list of word numbers from 0.
        seed: of the sampling.
        beside: the program's files go to a folder next to this path, which is removed.
        threads: with two, both directions are sampled at once; does not affect the links.

    Returns:
        For each pair, links of positions in the first and second sentence, from 0: with each word
        of the second linked to at most one of the first; and with each word of the first linked to
        at most one of the second.

    Raises:
        UserError: the program is not installed, fails, cannot be given a seed, or writes no links.
    """
    with scratch_file(beside) as folder:
        folder.mkdir()
        _prepare(folder, seed)
        for side, name in enumerate(("first", "second")):
            _write(folder / name, [pair[side] for pair in pairs])
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(partial(_run, folder, len(pairs)), DIRECTIONS.items()))
        forward, reverse = (_read(folder / name, pairs) for name in DIRECTIONS)
    return forward, reverse


def iterations(n: int) -> tuple[int, int, int]:
    """Return how often each model samples n sentences, as in the program's own wrapper."""
    last = max(2, round(5000 / math.sqrt(n)))
    return max(2, last // 4), max(1, last // 4), last


def _prepare(folder: Path, seed: int) -> None:
    source = program()
    if source is None:
        raise UserError(f"{NAME} is not installed: {REMEDY}")
    content = source.read_bytes()
    if URANDOM not in content:
        raise UserError(
            f"{source}: this {NAME} does not read {URANDOM.decode()}, so it cannot be given a "
            f"seed: {REMEDY}"
        )
    (folder / NAME).write_bytes(content.replace(URANDOM, SEED))
    (folder / NAME).chmod(0o700)
    (folder / SEED.decode()).write_bytes(hashlib.sha256(f"{seed}".encode()).digest())


def _write(path: Path, sentences: Sequence[Sentence]) -> None:
    size = 1 + max((max(x) for x in sentences), default=-1)
    with path.open("w", encoding="ascii") as file:
        file.write(f"{len(sentences)} {size}\n")
        file.writelines(" ".join(map(str, [len(x), *x])) + "\n" for x in sentences)


def _run(folder: Path, n: int, direction: tuple[str, str]) -> None:
    (output, option), (one, hmm, fertility) = direction, iterations(n)
    options = f"-m 3 -s first -t second {option} {output} -n {SAMPLERS} -N {NULL_PRIOR}"
    options += f" -q -1 {one} -2 {hmm} -3 {fertility}"
    command = [str(folder.resolve() / NAME), *options.split()]
    one_thread = {"OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=os.environ | one_thread, capture_output=True, check=False
        )
    except OSError as error:
        raise UserError(f"{program()}: cannot be run ({error.strerror}): {REMEDY}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip() or "it said nothing"
        raise UserError(
            f"{program()}: failed with status {done.returncode}: {said}. If it was built on "
            f"another machine, build it here: {REMEDY}"
        )


def _read(path: Path, pairs: Sequence[tuple[Sentence, Sentence]]) -> Links:
    lines = path.read_text(errors="replace").splitlines() if path.is_file() else []
    found = zip_longest(lines, pairs)
    return [_links(line, pair, f"line {k}") for k, (line, pair) in enumerate(found, start=1)]


def _links(line: str | None, pair, where: str) -> list[tuple[int, int]]:
    matches = [LINK.fullmatch(x) for x in (line or "").split()]
    links = [(int(x[1]), int(x[2])) for x in matches if x]
    if line is None or pair is None or len(links) < len(matches) or not _within(links, pair):
        raise UserError(
            f"{program()}: {where} of its links: expected places such as 0-0 2-1 within the "
            f"sentences, one line for each, found {line!r}; is it eflomal 2.0.0? {REMEDY}"
        )
    return links


def _within(links: Sequence[tuple[int, int]], pair) -> bool:
    return all(i < len(pair[0]) and j < len(pair[1]) for i, j in links)
