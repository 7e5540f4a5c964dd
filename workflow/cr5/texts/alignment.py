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
from collections.abc import Iterable, Mapping, Sequence
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
FILES = ("forward.tsv", "reverse.tsv")  # from the first language, and back
LEAST = 0.01  # lowest probability of an entry
MOST = 20  # most entries of a source word
NAME = "eflomal"
REMEDY = (
    "pip install eflomal==2.0.0 (it is compiled: needs a C compiler with OpenMP, such as gcc), or "
    "build its program and put it on the PATH"
)
URANDOM = b"/dev/urandom"
SEED = b"./seed.bytes"  # of equal length
LONGEST = 1023  # most words per sentence that the program accepts
SAMPLERS = 3  # as the next, the program's default
NULL_PRIOR = 0.2
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
        concepts = trained.loc[trained["language"] == language, "concept"]
        table = table[table["concept"].isin(concepts)]
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
    source, target = pair
    source_words, source_lines = _numbered(sentences[source], source, tokens)
    target_words, target_lines = _numbered(sentences[target], target, tokens)
    pairs = []
    for source_line, target_line in zip(source_lines, target_lines, strict=True):
        if _may_be_aligned(source_line) and _may_be_aligned(target_line):
            pairs.append((source_line, target_line))
    log.info("%d of %d pairs of sentences are aligned", len(pairs), len(sentences))
    directions: tuple[Links, Links] = ([], [])
    if pairs:
        directions = align(pairs, seed, beside, threads)
    linked = _linked(pairs, directions, pair)
    strings = {source: source_words, target: target_words}
    forward = entries(linked, strings, source, target)
    reverse = entries(linked, strings, target, source)
    return forward, reverse


def _may_be_aligned(sentence: Sentence) -> bool:
    return 0 < len(sentence) <= LONGEST


def _numbered(
    texts: Iterable[str], language: str, tokens: Tokens
) -> tuple[list[str], list[Sentence]]:
    """Return the words of texts, sorted, and the number of each word of each text."""
    words_of_texts = [tokens(text, language) for text in texts]
    words = sorted(set().union(*words_of_texts))
    numbers = {word: number for number, word in enumerate(words)}
    lines = []
    for words_of_text in words_of_texts:
        lines.append([numbers[word] for word in words_of_text])
    return words, lines


def _linked(
    pairs: Sequence[tuple[Sentence, Sentence]],
    directions: Iterable[Links],
    languages: tuple[str, str],
) -> pd.DataFrame:
    """Return the two words of each link, a column for each language."""
    words = []
    for links in directions:
        for (source, target), places in zip(pairs, links, strict=True):
            for source_place, target_place in places:
                words.append((source[source_place], target[target_place]))
    numbers = np.array(words, np.int64).reshape(-1, 2)
    return pd.DataFrame(numbers, columns=languages)


def entries(
    linked: pd.DataFrame, strings: Mapping[str, Sequence[str]], source: str, target: str
) -> pd.DataFrame:
    """Count links, of which a column for each language has the numbers of words, as a table.

    A link counts two if found in both directions, else one. A source word's probabilities add up
    to one before those below `LEAST`, and all but the `MOST` largest, are dropped; in ties the
    first target words are kept.
    """
    n_links = linked.value_counts([source, target]).rename("n")
    table = n_links.reset_index()
    links_of_source = table.groupby(source)["n"]
    table["probability"] = table["n"] / links_of_source.transform("sum")
    is_probable = table["probability"] >= LEAST
    order = [source, "probability", target]
    probable = table[is_probable].sort_values(order, ascending=[True, False, True])
    most_probable = probable.groupby(source).head(MOST)
    columns = {}
    for language in (source, target):
        words = np.array(strings[language], object)
        numbers = most_probable[language]
        columns[language] = words[numbers]
    columns["probability"] = most_probable["probability"].to_numpy()
    return pd.DataFrame(columns)


def program() -> Path:
    """Find the program on the PATH or in the package; `UserError` if it is in neither."""
    on_path = shutil.which(NAME)
    if on_path:
        return Path(on_path)
    spec = importlib.util.find_spec(NAME)  # imports nothing
    folders = (spec and spec.submodule_search_locations) or ()
    for folder in folders:
        file = Path(folder, "bin", NAME)
        if os.access(file, os.X_OK):
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
    original = program()
    content = original.read_bytes()
    if URANDOM not in content:
        raise UserError(f"{original}: it does not read /dev/urandom, so it has no seed: {REMEDY}")
    with scratch(f"{beside}.aligned") as folder:
        folder.mkdir()
        copy = folder / NAME
        copy.write_bytes(content.replace(URANDOM, SEED))
        copy.chmod(0o700)
        file_of_seed = folder / SEED.decode()
        file_of_seed.write_bytes(hashlib.sha256(f"{seed}".encode()).digest())
        first_sentences = [first for first, _ in pairs]
        second_sentences = [second for _, second in pairs]
        _write(folder / "first", first_sentences)
        _write(folder / "second", second_sentences)
        run = partial(_run, folder, len(pairs))
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run, DIRECTIONS))
        forward = _read(folder / "forward", pairs)
        reverse = _read(folder / "reverse", pairs)
    return forward, reverse


def _write(path: Path, sentences: Sequence[Sentence]) -> None:
    """Write how many sentences and words there are, and length and words of each sentence."""
    largest_numbers = [max(sentence) for sentence in sentences]
    n_words = 1 + max(largest_numbers, default=-1)
    with path.open("w", encoding="ascii") as file:
        file.write(f"{len(sentences)} {n_words}\n")
        for sentence in sentences:
            words = " ".join(str(word) for word in sentence)
            file.write(f"{len(sentence)} {words}\n")


def _run(folder: Path, n_sentences: int, direction: str) -> None:
    # how often each model samples, as in the program's own wrapper
    n_samples = round(5000 / math.sqrt(n_sentences))
    n_fertility = max(2, n_samples)
    n_ibm = max(2, n_fertility // 4)
    n_hmm = max(1, n_fertility // 4)
    options = f"-m 3 -s first -t second {DIRECTIONS[direction]} {direction}"
    options += f" -n {SAMPLERS} -N {NULL_PRIOR} -q -1 {n_ibm} -2 {n_hmm} -3 {n_fertility}"
    copy = folder.resolve() / NAME
    command = [str(copy), *options.split()]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    if done.returncode:
        complaint = done.stderr.decode(errors="replace").strip()
        raise UserError(
            f"{program()}: failed with status {done.returncode}: {complaint}. Was it built on "
            f"another machine? {REMEDY}"
        )


def _read(path: Path, pairs: Sequence[tuple[Sentence, Sentence]]) -> Links:
    """Read the links of each pair; UserError if they are those of other sentences."""
    lines: list[str] = []
    if path.is_file():
        lines = path.read_text(errors="replace").splitlines()
    links = []
    for line in lines:
        links_of_line = [(int(link[1]), int(link[2])) for link in LINK.finditer(line)]
        links.append(links_of_line)
    if len(links) != len(pairs) or not _are_within(pairs, links):
        raise UserError(
            f"{program()}: expected links such as 0-0 2-1 within the sentences, a line for each of "
            f"{len(pairs)} pairs, found {len(links)} lines; is it eflomal 2.0.0? {REMEDY}"
        )
    return links


def _are_within(pairs: Sequence[tuple[Sentence, Sentence]], links: Links) -> bool:
    """Return whether each link is between words that its sentences have."""
    for (source, target), links_of_pair in zip(pairs, links, strict=True):
        for source_place, target_place in links_of_pair:
            if source_place >= len(source) or target_place >= len(target):
                return False
    return True
