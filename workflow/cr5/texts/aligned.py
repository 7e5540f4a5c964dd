"""Aligned sentences: read from parallel files or joined from paragraphs, and cleaned.

A table has a row for each line or paragraph and a column for each language. Text that cannot be a
query is missing: empty lines, sentences with too few words, and sentences whose words occur again
in the same language, so that the right one is ambiguous.
"""

import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from cr5.base import text_files
from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.errors import UserError
from cr5.base.not_text import plain
from cr5.base.text_files import decoded, read_lines
from cr5.counts.tokens import tokenise
from cr5.texts.parallel import Place
from cr5.texts.reading import FILE, PARAGRAPHS

KIND, TABLE = "aligned sentences", "sentences.parquet"
OUTCOMES = ("kept", "empty", "short", "double")
COUNTED = ("first", "second", "lines", *OUTCOMES)  # of a pair of languages
EMPTY, SHORT, DOUBLE, KEPT = range(4)  # of two, the lower one is the outcome of both
TAKEN = ("id", "concept", "part")  # columns that are not languages
SENTENCES = ""  # name of the part that is searched
OBJECT = re.compile(r'\s*\{\s*"')
HEADER = re.compile(r'"?(_?id|docid|docno|concept|text)"?([\t,;]"?\w+"?)+', re.IGNORECASE)
ID_AND_TEXT = re.compile(r"\S+\t[^\t]*")
VALIDATION = "validation"  # of the part by which hyperparameters may be chosen; others: languages


def of_files(
    places: Mapping[str, Place], options: Mapping[str, Any], seed: int
) -> tuple[pd.DataFrame, list[dict]]:
    """Read, clean and part parallel files by a task's options, and count as `cleaned`."""
    apart = {} if options["idf"] == "corpus" else dict.fromkeys(places, options["idf_lines"])
    if n := options.get("validation"):
        apart[VALIDATION] = n
    candidates = options["candidates"]
    table = read(places, candidates + sum(apart.values()))
    found, counts = cleaned(table, options["min_words"], "first")
    return parted(found, candidates, apart, seed), counts


def read(places: Mapping[str, Place], most: int) -> pd.DataFrame:
    """Read parallel files in step, all of them to the end, and keep the first lines."""
    rows = []
    streams = [_lines(place) for place in places.values()]
    for number, row in enumerate(zip_longest(*streams), start=1):
        if None in row:
            ends = {line is None: _name(x) for line, x in zip(row, places.values(), strict=True)}
            raise UserError(
                f"{ends[True]} ends after line {number - 1}, {ends[False]} goes on; each line must "
                "be the translation of the same line of the other"
            )
        _check_ids(row)
        if number <= most:
            rows.append((str(number), "", *(line.text for line in row)))
    return pd.DataFrame(rows, columns=["id", "concept", *places], dtype=str)


def of_paragraphs(paragraphs: Mapping[str, str | Path]) -> pd.DataFrame:
    """Join the languages' paragraphs, as `read`, by document and id; some may lack one."""
    parts = [_paragraphs(path, x) for x, path in paragraphs.items()]
    table = pd.concat(parts, axis=1).sort_index().reset_index()
    return table.assign(id=table["concept"] + "#" + table["id"])


def _paragraphs(path: str | Path, language: str) -> pd.Series:
    table = pd.read_parquet(Artefact(path, PARAGRAPHS, language=language).file(FILE))
    return table.set_index(["concept", "id"])["text"].rename(language)


def cleaned(
    table: pd.DataFrame, min_words: int, keep: Literal["first", False]
) -> tuple[pd.DataFrame, list[dict]]:
    """Remove text that cannot be a query, of sentences with the same words all but those kept.

    Returns the table, with the column part; and for each pair of languages the counts of rows that
    either has by outcome, see `COUNTED`.
    """
    languages = [x for x in table.columns if x not in TAKEN]
    states = {x: _states(table[x], x, min_words, keep) for x in languages}
    texts = {x: table[x].where(states[x] == KEPT) for x in languages}
    counts = []
    for pair in combinations(sorted(languages), 2):
        there = table[list(pair)].notna().any(axis=1).to_numpy()
        found = np.minimum(*(states[x][there] for x in pair))
        *lost, kept = np.bincount(found, minlength=len(OUTCOMES)).tolist()
        outcomes = zip(OUTCOMES, (kept, *lost), strict=True)
        counts.append({"first": pair[0], "second": pair[1], "lines": len(found), **dict(outcomes)})
    return table.assign(**texts, part=SENTENCES), counts


def parted(table: pd.DataFrame, candidates: int, apart: Mapping[str, int], seed: int):
    """Choose at random the sentences that are searched, and others for other uses.

    `apart` says how many others, by the language whose idf they are for (in MUSE 300,000 of each,
    beside 200,000 to search: Conneau et al. 2018), and for `VALIDATION`.
    """
    table = table[table.drop(columns=list(TAKEN)).notna().any(axis=1)]
    sizes = {SENTENCES: candidates, **apart}
    named = np.repeat(np.array([*sizes], object), [*sizes.values()])[: len(table)]
    if lacking := [x for x in apart if x not in {*named}]:
        use = lacking[0] if lacking[0] == VALIDATION else f"the idf of {lacking[0]!r}"
        raise UserError(
            f"no sentence is left for {use}: of {len(table)} usable ones {candidates} are "
            "candidates; lower `candidates`, `idf_lines` or `validation`, or take `idf: corpus`"
        )
    parts = np.full(len(table), None, object)
    parts[np.random.default_rng(seed).permutation(len(table))[: len(named)]] = named
    return table.assign(part=parts)[pd.notna(parts)]


def save(folder: str | Path, table: pd.DataFrame, about: Mapping, job: Job = NO_JOB) -> None:
    """Write the table and what it is about."""
    with job.making(folder, KIND, **about) as temporary:
        table.to_parquet(temporary / TABLE, index=False)


def table(folder: str | Path) -> pd.DataFrame:
    """Read the whole table that `save` wrote."""
    return pd.read_parquet(Artefact(folder, KIND).file(TABLE))


def about(folder: str | Path) -> dict:
    """Read what was given to `save`: name, languages, pairs and their counts."""
    return Artefact(folder, KIND).about["subject"]


def load(folder: str | Path, language: str) -> tuple[str, pd.DataFrame]:
    """Read a bundle's name and id, concept, part, text of a language; no rows if it has none."""
    found = Artefact(folder, KIND)
    told = found.about["subject"]
    if language not in told["languages"]:
        return told["name"], pd.DataFrame(columns=[*TAKEN, "text"])
    table = pd.read_parquet(found.file(TABLE), columns=[*TAKEN, language])
    return told["name"], table.rename(columns={language: "text"}).dropna(subset=["text"])


def _states(texts: pd.Series, language: str, min_words: int, keep) -> np.ndarray:
    words = texts.fillna("").map(lambda text: " ".join(tokenise(text, language)))
    n_words = words.str.count(" ") + 1
    states = np.where(words == "", EMPTY, np.where(n_words < min_words, SHORT, KEPT))
    long = words[states == KEPT]
    states[long.index[long.duplicated(keep=keep)]] = DOUBLE
    return states


def _name(place: Place) -> str:
    return f"{place.file}: {place.member}" if place.member else place.file


class _Line(NamedTuple):
    where: str
    id: str  # empty in a file without ids
    text: str


def _lines(place: Place) -> Iterator[_Line]:
    """Lines of text, or of an id, a tab and a text, as the first that is not blank has them."""
    have_ids: bool | None = None
    for where, line in plain(_member(place) if place.member else read_lines(place.file)):
        if have_ids is None and line.strip():
            have_ids = _has_id(line, where)
        own = ""
        if have_ids:
            own, tab, line = line.partition("\t")
            if not (own.strip() and tab) or "\t" in line:
                raise UserError(f"{where}: expected an id, a tab and a text, as above")
        yield _Line(where, text_files.folded(own), text_files.storable(line).strip())


def _has_id(line: str, where: str) -> bool:
    """Whether a file has ids, by its first line; UserError if it is another layout than lines."""
    kind = ""
    if OBJECT.match(line):
        kind = "an object of JSON"
    elif HEADER.fullmatch(line):
        kind = "the names of a table's columns"
    elif "\t" in line and not ID_AND_TEXT.fullmatch(line):
        kind = "several texts with tabs between"
    if kind:
        raise UserError(
            f"{where}: {kind}; write the texts of a language to a file, one a line, each alone or "
            "behind its id (without blanks) and a tab"
        )
    return "\t" in line


def _check_ids(row: Sequence[_Line]) -> None:
    """Raise `UserError` if lines of one number have different ids, or only some have one."""
    first = row[0]
    for line in row:
        if line.id != first.id:
            ids = [f"the id {x.id!r}" if x.id else "no id" for x in (first, line)]
            raise UserError(
                f"{first.where} has {ids[0]}, {line.where} {ids[1]}; give all files the same ids "
                "in the same order, or none"
            )


def _member(place: Place) -> Iterator[tuple[str, str]]:
    """Lines of a file in an archive, named in full or by the end of its name after a slash."""
    with text_files.named(place.file), tarfile.open(place.file) as archive:
        there = [x for x in archive if x.isreg() and f"/{x.name}".endswith(f"/{place.member}")]
        if len(there) != 1:
            raise UserError(f"{place.file}: has {len(there)} files {place.member!r}; name one")
        yield from decoded(archive.extractfile(there[0]), _name(place))
