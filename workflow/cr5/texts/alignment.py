"""Word translation tables of parallel sentences, from links between words by eflomal.

eflomal (Östling and Tiedemann 2016: IBM model 1, HMM, HMM with fertility) is run, not linked, with
numbers for words, as its documentation describes. It seeds itself from /dev/urandom and has no
option for a seed, so a copy is run that reads a file with the seed instead. On one thread the same
seed then gives the same links, if the program was built for the same kind of processor (its
Makefile has -Ofast -march=native). p(target | source word) is found by counting links.
"""

import hashlib
import importlib.util
import logging
import math
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.base.files import scratch
from cr5.counts.tokens import Tokens, tokenise
from cr5.texts.aligned import cleaned
from cr5.texts.aligned import of_paragraphs as joined

log = logging.getLogger(__name__)

KIND = "word translation tables"
FILES = "forward.tsv", "reverse.tsv"  # from the first language, and back
LEAST = 0.01  # lowest probability of an entry
MOST = 20  # most entries of a source word
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


def of_paragraphs(
    paragraphs: Mapping[str, str | Path], trained: pd.DataFrame
) -> tuple[pd.DataFrame, list[dict]]:
    """Join, as `aligned.cleaned`, the paragraphs of documents that train in both languages."""
    table = joined(paragraphs)
    for language in paragraphs:
        own = trained.loc[trained["language"] == language, "concept"]
        table = table[table["concept"].isin(own)]
    return cleaned(table.reset_index(drop=True), 1, "first")


def tables(
    sentences: pd.DataFrame,
    pair: tuple[str, str],
    seed: int,
    beside: str | Path,
    threads: int = 1,
    tokens: Tokens = tokenise,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Align sentences, a column for each language, and count the links: the two tables."""
    sentences = sentences.dropna(subset=list(pair))
    words = {x: [tokens(text, x) for text in sentences[x]] for x in pair}
    strings = {x: sorted({word for line in words[x] for word in line}) for x in pair}
    numbers = {x: {word: i for i, word in enumerate(strings[x])} for x in pair}
    lines = [[[numbers[x][word] for word in line] for line in words[x]] for x in pair]
    # neither may be empty or too long
    pairs = [x for x in zip(*lines, strict=True) if all(0 < len(y) <= LONGEST for y in x)]
    log.info("%d of %d pairs of sentences are aligned", len(pairs), len(sentences))
    links = align(pairs, seed, beside, threads) if pairs else ([], [])
    found = [
        (source[i], target[j])
        for direction in links
        for (source, target), line in zip(pairs, direction, strict=True)
        for i, j in line
    ]
    linked = pd.DataFrame(np.array(found, np.int64).reshape(-1, 2), columns=pair)
    return entries(linked, strings, *pair), entries(linked, strings, *pair[::-1])


def entries(
    linked: pd.DataFrame, strings: Mapping[str, Sequence[str]], source: str, target: str
) -> pd.DataFrame:
    """Count links, of which a column for each language has the numbers of words, as a table.

    A link counts two if found in both directions, else one. A source word's probabilities add up
    to one before those below `LEAST`, and all but the `MOST` largest, are dropped; in ties the
    first target words are kept.
    """
    found = linked.value_counts([source, target]).rename("n").reset_index()
    found["probability"] = found["n"] / found.groupby(source)["n"].transform("sum")
    found = found[found["probability"] >= LEAST].sort_values(
        [source, "probability", target], ascending=[True, False, True]
    )
    found = found.groupby(source).head(MOST)
    words = {x: np.array(strings[x], object)[found[x]] for x in (source, target)}
    return pd.DataFrame({**words, "probability": found["probability"].to_numpy()})


def program() -> Path:
    """Find the program on the PATH or in the package; `UserError` if it is in neither."""
    if found := shutil.which(NAME):
        return Path(found)
    spec = importlib.util.find_spec(NAME)  # imports nothing
    for folder in (spec and spec.submodule_search_locations) or ():
        if os.access(file := Path(folder) / "bin" / NAME, os.X_OK):
            return file
    raise UserError(f"alignments.aligner: {NAME} is not installed: {REMEDY}")


def align(
    pairs: Sequence[tuple[Sentence, Sentence]], seed: int, beside: str | Path, threads: int = 1
) -> tuple[Links, Links]:
    """Align words, numbers from 0, of pairs of sentences of up to `LONGEST`.

    With two threads, both directions are sampled at once; the links are the same. Returns for each
    pair links of positions in the first and second sentence, from 0: with each word of the second
    linked to at most one of the first, and the other way round.
    """
    source = program()
    content = source.read_bytes()
    if URANDOM not in content:
        raise UserError(f"{source}: it does not read /dev/urandom, so it has no seed: {REMEDY}")
    with scratch(f"{beside}.aligned") as folder:
        folder.mkdir()
        (folder / NAME).write_bytes(content.replace(URANDOM, SEED))
        (folder / NAME).chmod(0o700)
        (folder / SEED.decode()).write_bytes(hashlib.sha256(f"{seed}".encode()).digest())
        for side, name in enumerate(("first", "second")):
            _write(folder / name, [pair[side] for pair in pairs])
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(partial(_run, folder, len(pairs)), DIRECTIONS.items()))
        forward, reverse = (_read(folder / name, pairs) for name in DIRECTIONS)
    return forward, reverse


def _write(path: Path, sentences: Sequence[Sentence]) -> None:
    size = 1 + max((max(x) for x in sentences), default=-1)
    with path.open("w", encoding="ascii") as file:
        file.write(f"{len(sentences)} {size}\n")
        file.writelines(" ".join(map(str, [len(x), *x])) + "\n" for x in sentences)


def _run(folder: Path, n: int, direction: tuple[str, str]) -> None:
    output, option = direction
    # how often each model samples n sentences, as in the program's own wrapper
    fertility = max(2, round(5000 / math.sqrt(n)))
    one, hmm = max(2, fertility // 4), max(1, fertility // 4)
    options = f"-m 3 -s first -t second {option} {output} -n {SAMPLERS} -N {NULL_PRIOR}"
    options += f" -q -1 {one} -2 {hmm} -3 {fertility}"
    command = [str(folder.resolve() / NAME), *options.split()]
    one_thread = {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=folder, env=os.environ | one_thread, capture_output=True, check=False
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise UserError(
            f"{program()}: failed with status {done.returncode}: {said}. Was it built on another "
            f"machine? {REMEDY}"
        )


def _read(path: Path, pairs: Sequence[tuple[Sentence, Sentence]]) -> Links:
    lines = path.read_text(errors="replace").splitlines() if path.is_file() else []
    found = [[tuple(map(int, x.groups())) for x in LINK.finditer(line)] for line in lines]
    of_lines = zip(pairs, found, strict=False)
    within = (i < len(x) and j < len(y) for (x, y), line in of_lines for i, j in line)
    if len(found) != len(pairs) or not all(within):
        raise UserError(
            f"{program()}: expected links such as 0-0 2-1 within the sentences, a line for each of "
            f"{len(pairs)} pairs, found {len(found)} lines; is it eflomal 2.0.0? {REMEDY}"
        )
    return found
