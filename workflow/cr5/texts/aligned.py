"""Aligned sentences: read from parallel files or joined from paragraphs, and cleaned.

A table has a row for each line or paragraph and a column for each language. Text that cannot be a
query is missing: empty lines, sentences with too few words, and sentences whose words occur again
in the same language, so that the right one is ambiguous.
"""

import re
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple
from zipfile import is_zipfile

import numpy as np
import pandas as pd

from cr5.base import text_files
from cr5.base.artefacts import NO_JOB, Artefact, Job
from cr5.base.compressed import open_zip
from cr5.base.errors import UserError
from cr5.base.losses import Losses
from cr5.base.not_text import refusing_markup
from cr5.base.text_files import decoded, read_lines
from cr5.counts.tokens import tokenise
from cr5.texts.parallel import Place
from cr5.texts.reading import FILE, PARAGRAPHS

KIND = "aligned sentences"
TABLE = "sentences.parquet"
OUTCOMES = ("kept", "empty", "short", "double")
COUNTED = ("first", "second", "lines", *OUTCOMES)  # of a pair of languages
EMPTY, SHORT, DOUBLE, KEPT = range(4)  # of two, the lower one is the outcome of both
TAKEN = ("id", "concept", "part")  # columns that are not languages
SENTENCES = ""  # name of the part that is searched
OBJECT = re.compile(r'\s*\{\s*"')
HEADER = re.compile(r'"?(_?id|docid|docno|concept|text)"?([\t,;]"?\w+"?)+', re.IGNORECASE)
ID_AND_TEXT = re.compile(r"\S+\t[^\t]*")
VALIDATION = "validation"  # of the part by which hyperparameters may be chosen; others: languages


class _Line(NamedTuple):
    place: str
    id: str  # empty in a file without ids
    text: str

    @property
    def shown_id(self) -> str:
        """The id as a message says it."""
        if self.id:
            return f"the id {self.id!r}"
        return "no id"


def of_files(
    places: Mapping[str, Place], options: Mapping[str, Any], seed: int
) -> tuple[pd.DataFrame, list[dict]]:
    """Read, clean and part parallel files by a task's options, and count as `cleaned`."""
    apart: dict[str, int] = {}
    if options["idf"] != "corpus":
        apart = dict.fromkeys(places, options["idf_lines"])
    if options.get("validation"):
        apart[VALIDATION] = options["validation"]
    candidates = options["candidates"]
    n_wanted = candidates + sum(apart.values())
    table = read(places, n_wanted, options["encoding"])
    sentences, counts = cleaned(table, options["min_words"], "first")
    chosen = parted(sentences, candidates, apart, seed)
    return chosen, counts


def read(places: Mapping[str, Place], most: int, encoding: str = "utf-8") -> pd.DataFrame:
    """Read parallel files in step, all of them to the end, and keep the first lines."""
    rows = []
    sources = list(places.values())
    streams = [_counted_lines(source, encoding) for source in sources]
    for number, lines in enumerate(zip_longest(*streams), start=1):
        _check_length(lines, sources, number)
        _check_ids(lines)
        if number <= most:
            texts = [line.text for line in lines]
            rows.append((str(number), "", *texts))
    return pd.DataFrame(rows, columns=["id", "concept", *places], dtype=str)


def _check_length(lines: Sequence[_Line | None], sources: Iterable[Place], number: int) -> None:
    """Raise `UserError` if a file has ended before another one."""
    if None not in lines:
        return
    for line, source in zip(lines, sources, strict=True):
        if line is None:
            ended = _name(source)
        else:
            going_on = _name(source)
    raise UserError(
        f"{ended} ends after line {number - 1}, {going_on} goes on; each line "
        "must be the translation of the same line of the other"
    )


def of_paragraphs(paragraphs: Mapping[str, str | Path]) -> pd.DataFrame:
    """Join the languages' paragraphs, as `read`, by document and id; some may lack one."""
    columns = [_paragraphs(path, language) for language, path in paragraphs.items()]
    joined = pd.concat(columns, axis=1).sort_index()
    table = joined.reset_index()
    ids = table["concept"] + "#" + table["id"]
    return table.assign(id=ids)


def _paragraphs(path: str | Path, language: str) -> pd.Series:
    artefact = Artefact(path, PARAGRAPHS, language=language)
    table = pd.read_parquet(artefact.file(FILE))
    texts = table.set_index(["concept", "id"])["text"]
    return texts.rename(language)


def cleaned(
    table: pd.DataFrame, min_words: int, keep: Literal["first", False]
) -> tuple[pd.DataFrame, list[dict]]:
    """Remove text that cannot be a query, of sentences with the same words all but those kept.

    Returns the table, with the column part; and for each pair of languages the counts of rows that
    either has by outcome, see `COUNTED`.
    """
    languages = [column for column in table.columns if column not in TAKEN]
    outcomes = {}
    texts = {}
    for language in languages:
        column = table[language]
        outcomes[language] = _outcomes(column, language, min_words, keep)
        is_kept = outcomes[language] == KEPT
        texts[language] = column.where(is_kept)
    counts = []
    for first, second in combinations(sorted(languages), 2):
        outcomes_of_both = np.minimum(outcomes[first], outcomes[second])
        either_has_text = table[[first, second]].notna().any(axis=1)
        counts_of_pair = {"first": first, "second": second}
        counts_of_pair |= _counts(outcomes_of_both[either_has_text])
        counts.append(counts_of_pair)
    return table.assign(**texts, part=SENTENCES), counts


def _counts(outcomes: np.ndarray) -> dict[str, int]:
    numbers = np.bincount(outcomes, minlength=len(OUTCOMES)).tolist()
    return {
        "lines": len(outcomes),
        "kept": numbers[KEPT],
        "empty": numbers[EMPTY],
        "short": numbers[SHORT],
        "double": numbers[DOUBLE],
    }


def parted(
    table: pd.DataFrame, candidates: int, apart: Mapping[str, int], seed: int
) -> pd.DataFrame:
    """Choose at random the sentences that are searched, and others for other uses.

    `apart` says how many others, by the language whose idf they are for (in MUSE 300,000 of each,
    beside 200,000 to search: Conneau et al. 2018), and for `VALIDATION`.
    """
    texts = table.drop(columns=list(TAKEN))
    has_text = texts.notna().any(axis=1)
    table = table[has_text]
    n_usable = len(table)
    sizes = {SENTENCES: candidates, **apart}
    names = np.array(list(sizes), object)
    part_by_place = np.repeat(names, list(sizes.values()))[:n_usable]
    nonempty = set(part_by_place)
    for name in apart:
        if name not in nonempty:
            raise _no_sentence_left(name, n_usable, candidates)
    generator = np.random.default_rng(seed)
    order = generator.permutation(n_usable)
    chosen = order[: len(part_by_place)]
    parts = np.full(n_usable, None, object)
    parts[chosen] = part_by_place
    is_chosen = pd.notna(parts)
    return table.assign(part=parts)[is_chosen]


def _no_sentence_left(name: str, n_usable: int, candidates: int) -> UserError:
    use = name
    if name != VALIDATION:
        use = f"the idf of {name!r}"
    return UserError(
        f"no sentence is left for {use}: of {n_usable} usable ones {candidates} are "
        "candidates; lower `candidates`, `idf_lines` or `validation`, or take `idf: corpus`"
    )


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
    artefact = Artefact(folder, KIND)
    subject = artefact.about["subject"]
    name = subject["name"]
    if language not in subject["languages"]:
        return name, pd.DataFrame(columns=[*TAKEN, "text"])
    table = pd.read_parquet(artefact.file(TABLE), columns=[*TAKEN, language])
    texts = table.rename(columns={language: "text"})
    return name, texts.dropna(subset=["text"])


def _outcomes(
    texts: pd.Series, language: str, min_words: int, keep: Literal["first", False]
) -> np.ndarray:
    """Return what becomes of each text; equal ones have the same words in the same order."""
    lines = []
    for text in texts.fillna(""):
        words_of_text = tokenise(text, language)
        lines.append(" ".join(words_of_text))
    words = pd.Series(lines, dtype=str)
    n_words = words.str.count(" ") + 1
    outcomes = np.full(len(words), KEPT)
    outcomes[n_words < min_words] = SHORT
    outcomes[words == ""] = EMPTY
    long = words[outcomes == KEPT]
    is_double = long.duplicated(keep=keep)
    outcomes[long.index[is_double]] = DOUBLE
    return outcomes


def _name(source: Place) -> str:
    if source.member:
        return f"{source.file}: {source.member}"
    return source.file


def _counted_lines(source: Place, encoding: str) -> Iterator[_Line]:
    """Yield lines, and tell at the end what their texts have lost; empty ones are counted later."""
    losses = Losses()
    for line in _lines(source, encoding):
        losses.count(line.text, line.place)
        yield line
    losses.tell(_name(source))


def _lines(source: Place, encoding: str) -> Iterator[_Line]:
    """Lines of text, or of an id, a tab and a text, as the first that is not blank has them."""
    have_ids: bool | None = None
    lines = _member(source, encoding) if source.member else read_lines(source.file, encoding)
    for place, line in refusing_markup(lines):
        if have_ids is None and line.strip():
            have_ids = _has_id(line, place)
        line_id = ""
        if have_ids:
            line_id, tab, line = line.partition("\t")
            if not (line_id.strip() and tab) or "\t" in line:
                raise UserError(f"{place}: expected an id, a tab and a text, as above")
        text = text_files.storable(line).strip()
        yield _Line(place, text_files.folded_name(line_id), text)


def _has_id(line: str, place: str) -> bool:
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
            f"{place}: {kind}; write the texts of a language to a file, one a line, each alone or "
            "behind its id (without blanks) and a tab"
        )
    return "\t" in line


def _check_ids(lines: Sequence[_Line]) -> None:
    """Raise `UserError` if lines of one number have different ids, or only some have one."""
    first = lines[0]
    for line in lines:
        if line.id != first.id:
            raise UserError(
                f"{first.place} has {first.shown_id}, {line.place} {line.shown_id}; give all files "
                "the same ids in the same order, or none"
            )


def _member(source: Place, encoding: str) -> Iterator[tuple[str, str]]:
    """Lines of a file in an archive, named in full or by the end of its name after a slash."""
    path = source.file
    name = _name(source)
    if is_zipfile(path):
        with text_files.naming_file(path), open_zip(path, name=source.member) as stream:
            yield from decoded(stream, name, encoding)
        return
    with text_files.naming_file(path), tarfile.open(path) as archive:
        stream = archive.extractfile(_only_file(archive, source))
        yield from decoded(stream, name, encoding)


def _only_file(archive: tarfile.TarFile, source: Place) -> tarfile.TarInfo:
    """Return the file of an archive whose name ends so; UserError if it is not one."""
    ending = f"/{source.member}"
    files = [member for member in archive if member.isreg()]
    with_ending = [file for file in files if f"/{file.name}".endswith(ending)]
    if len(with_ending) != 1:
        raise UserError(f"{source.file}: has {len(with_ending)} files {source.member!r}; name one")
    return with_ending[0]
