"""Word translation tables: lines of a source word, a target word and a probability."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.text_files import read_lines, without_nul

log = logging.getLogger(__name__)

Tables = dict[str, dict[str, sparse.csr_matrix]]


def read_alignments(
    files: Mapping[tuple[str, str], str | Path], words: Mapping[str, Sequence[str]]
) -> Tables:
    """Read the tables of all directed pairs of languages.

    Args:
        files: by source and target language; UTF-8, plain or compressed, each line a source word, a
            target word and p(target | source), separated by tabs.
        words: vocabularies; entries with other words are dropped and counted in the log.

    Returns:
        Per source, per target language: source words x target words, float64.

    Raises:
        UserError: with file and line.
    """
    numbers = {x: {word: i for i, word in enumerate(known)} for x, known in words.items()}
    tables: Tables = {}
    for (source, target), file in files.items():
        table = _table(Path(file), numbers[source], numbers[target])
        tables.setdefault(source, {})[target] = table
    return tables


def _table(path: Path, sources: dict[str, int], targets: dict[str, int]) -> sparse.csr_matrix:
    rows, columns, values, n_lines, n_turned = [], [], [], 0, 0
    for source, target, probability in entries(path):
        n_lines += 1
        n_turned += source in targets and target in sources
        if source in sources and target in targets:
            rows.append(sources[source])
            columns.append(targets[target])
            values.append(probability)
    log.info("%s: %d of %d entries are of the vocabularies", path, len(values), n_lines)
    if n_turned > len(values):
        raise UserError(
            f"{path}: {len(values)} of its {n_lines} entries have both words in the vocabularies, "
            f"{n_turned} if source and target change places; is it for the other direction?"
        )
    if not values:
        raise UserError(
            f"{path}: none of its {n_lines} entries has both words in the vocabularies; are the "
            "words of other languages, or not lower-cased?"
        )
    shape = (len(sources), len(targets))
    return sparse.csr_matrix((np.array(values), (rows, columns)), shape)


def entries(path: Path) -> Iterator[tuple[str, str, float]]:
    """Read a table: the source word, target word and p(target | source) of each line.

    Raises:
        UserError: with file and line.
    """
    for where, line in read_lines(path):
        yield _entry(without_nul(line, where).split("\t"), where)


def _entry(fields: list[str], where: str) -> tuple[str, str, float]:
    try:
        source, target, text = fields
        probability = float(text)
        if not 0 < probability <= 1:
            raise ValueError
    except ValueError as error:
        raise UserError(
            f"{where}: expected source word, target word and a probability above 0 and up to 1, "
            f"with tabs between; found {fields!r}"
        ) from error
    return source, target, probability
