"""Word translation tables: lines of a source word, a target word and p(target | source)."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
from scipy import sparse

from cr5.base.characters import plain_word
from cr5.base.errors import UserError
from cr5.base.text_files import parse_number, read_lines

log = logging.getLogger(__name__)


def write(path: str | Path, table: pd.DataFrame) -> None:
    """Write a table: source word, target word, and the probability with six digits."""
    with Path(path).open("w", encoding="utf-8") as file:
        for source, target, probability in table.itertuples(index=False):
            file.write(f"{source}\t{target}\t{probability:.6g}\n")


def read(
    files: Mapping[tuple[str, str], str | Path], words: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, sparse.csr_matrix]]:
    """Read the tables of directed pairs of languages.

    Returns, per source, per target language, words x words of the vocabularies, float64.
    """
    columns = {}
    for language, vocabulary in words.items():
        columns[language] = {word: number for number, word in enumerate(vocabulary)}
    tables: dict[str, dict[str, sparse.csr_matrix]] = {}
    for (source, target), path in files.items():
        table = _of_vocabularies(path, columns[source], columns[target])
        tables.setdefault(source, {})[target] = table
    return tables


def entries(path: str | Path) -> Iterator[tuple[str, str, float, str]]:
    """Yield source word, target word, p(target | source) and place; UTF-8, plain or compressed.

    Words are written as texts have them, but for their case.
    """
    for place, line in read_lines(path):
        fields = line.split("\t")
        try:
            source, target, text = fields
            probability = parse_number(text)
            if not 0 < probability <= 1:
                raise ValueError
        except ValueError as error:
            raise UserError(
                f"{place}: expected source word, target word and a probability above 0 and up to "
                f"1, with tabs between; found {fields!r}"
            ) from error
        yield plain_word(source), plain_word(target), probability, place


def _of_vocabularies(
    path: str | Path, source_columns: Mapping[str, int], target_columns: Mapping[str, int]
) -> sparse.csr_matrix:
    """Return the entries of which both words are known; UserError if none is, or one is twice."""
    first: dict[tuple[int, int], str] = {}
    rows = []
    columns = []
    probabilities = []
    n_entries = 0
    for source_word, target_word, probability, place in entries(path):
        n_entries += 1
        if source_word in source_columns and target_word in target_columns:
            entry = source_columns[source_word], target_columns[target_word]
            if entry in first:
                raise UserError(
                    f"{place}: {source_word!r} and {target_word!r} are on {first[entry]} too; keep "
                    "one of the two, as their probabilities would be added"
                )
            first[entry] = place.rpartition(", ")[2]
            rows.append(source_columns[source_word])
            columns.append(target_columns[target_word])
            probabilities.append(probability)
    log.info("%s: %d of %d entries are of the vocabularies", path, len(rows), n_entries)
    if not rows:
        raise UserError(
            f"{path}: none of its {n_entries} entries has both words in the vocabularies; are the "
            "words of other languages, not lower-cased, or is it for the other direction?"
        )
    shape = len(source_columns), len(target_columns)
    return sparse.csr_matrix((probabilities, (rows, columns)), shape)
