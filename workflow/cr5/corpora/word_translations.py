"""Word translation tables from parallel sentences: p(target | source word) by counting links."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.corpora import eflomal
from cr5.corpora.aligned import cleaned
from cr5.corpora.paragraphs import joined
from cr5.counts.tokens import Tokens, tokenise

log = logging.getLogger(__name__)

KIND = "word translation tables"
FILES = "forward.tsv", "reverse.tsv"  # from the first language, and back
LEAST = 0.01  # lowest probability of an entry
MOST = 20  # most entries of a source word


def of_paragraphs(
    paragraphs: Mapping[str, str | Path], trained: pd.DataFrame
) -> tuple[pd.DataFrame, list[dict]]:
    """Join the paragraphs of documents that are training documents in both languages, deduplicated.

    Args:
        paragraphs: by language, see `paragraphs.joined`.
        trained: concept and language of all training documents of the setting.

    Returns:
        As `aligned.cleaned`.
    """
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
    """Align sentences and count the links of both directions.

    Args:
        sentences: a column of text for each language, missing if there is none.
        pair: first and second language.
        seed: of the aligner.
        beside: see `eflomal.align`.
        threads: for the aligner; does not affect the result.
        tokens: how texts become words.

    Returns:
        From the first language to the second, and back: source, target, probability.

    Raises:
        UserError: see `eflomal.align`.
    """
    sentences = sentences.dropna(subset=list(pair))
    words = {x: [tokens(text, x) for text in sentences[x]] for x in pair}
    strings = {x: sorted({word for line in words[x] for word in line}) for x in pair}
    numbers = {x: {word: i for i, word in enumerate(strings[x])} for x in pair}
    lines = [[[numbers[x][word] for word in line] for line in words[x]] for x in pair]
    pairs = [each for each in zip(*lines, strict=True) if eflomal.usable(*each)]
    log.info("%d of %d pairs of sentences are aligned", len(pairs), len(sentences))
    links = eflomal.align(pairs, seed, beside, threads) if pairs else ([], [])
    counts = counted(pairs, links, tuple(len(strings[x]) for x in pair))
    first, second = (strings[x] for x in pair)
    return entries(counts, first, second), entries(counts.T.tocsr(), second, first)


def counted(pairs: Sequence, links: Sequence[Sequence], shape: tuple[int, int]):
    """Count links: one found in both directions counts two, one found in one direction counts one.

    Args:
        pairs: of sentences, as word numbers.
        links: of both directions, as returned by `eflomal.align`.
        shape: numbers of words of the first and second language.

    Returns:
        Words x words, int64.
    """
    found = [
        (source[i], target[j])
        for direction in links
        for (source, target), line in zip(pairs, direction, strict=True)
        for i, j in line
    ]
    rows, columns = np.array(found, np.int64).reshape(-1, 2).T
    counts = sparse.coo_matrix((np.ones(len(rows), np.int64), (rows, columns)), shape).tocsr()
    counts.sort_indices()
    return counts


def entries(
    counts: sparse.csr_matrix, sources: Sequence[str], targets: Sequence[str]
) -> pd.DataFrame:
    """Turn counts into the entries of a table.

    A source word's probabilities add up to one before those below `LEAST`, and all but the `MOST`
    largest, are dropped; in ties the first target words are kept.

    Returns:
        source, target, probability; by source word, most probable first.
    """
    rows, n = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr)), counts.data
    totals = np.maximum(np.bincount(rows, n, counts.shape[0]), 1)
    found = pd.DataFrame({"row": rows, "column": counts.indices, "p": n / totals[rows]})
    found = found[found["p"] >= LEAST].sort_values(
        ["row", "p", "column"], ascending=[True, False, True], kind="stable"
    )
    found = found.groupby("row").head(MOST)
    return pd.DataFrame(
        {
            "source": np.array(sources, object)[found["row"]],
            "target": np.array(targets, object)[found["column"]],
            "probability": found["p"].to_numpy(),
        }
    )


def write(path: str | Path, table: pd.DataFrame) -> None:
    """Write a table for `fitting.contract` to read, probabilities with six digits."""
    with Path(path).open("w", encoding="utf-8") as file:
        for source, target, probability in table.itertuples(index=False):
            file.write(f"{source}\t{target}\t{probability:.6g}\n")
