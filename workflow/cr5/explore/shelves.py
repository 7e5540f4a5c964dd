"""The page's documents by language, numbered as in its files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.counts import documents as texts
from cr5.retrieval.results import Documents

SNIPPET = 300  # characters of a document's text
BATCH = 10_000
ALL_SNIPPETS = 3_000_000  # characters of a language's

Ranks = Mapping[tuple[str, str, str], pd.DataFrame]


@dataclass(frozen=True)
class Shelf:
    """The documents of one language.

    Attributes:
        ids: concepts; the first `counts.shape[0]` of them have their words on the page.
        titles: title of each.
        counts: documents x the vocabulary's most frequent words, as many as the page has.
        n_candidates: the run's number of candidates; the page may have fewer.
        n_vocabulary: the run's number of words, likewise.
    """

    ids: pd.Index
    titles: list[str]
    counts: sparse.csr_matrix
    n_candidates: int
    n_vocabulary: int


def shown(ranks: Ranks, most: int) -> dict[tuple[str, str, str], pd.DataFrame]:
    """Select at most `most` queries per direction, evenly spaced, the same for each measure.

    Args:
        ranks: by query language, target language and measure.
        most: queries per direction.
    """
    return {
        key: frame.iloc[np.unique(np.linspace(0, len(frame) - 1, most).round().astype(int))]
        if len(frame) > most
        else frame
        for key, frame in ranks.items()
    }


def shelf(
    documents: Documents, language: str, space: pd.Index, ranks: Iterable[Ranks], limits: "Limits"
) -> Shelf:
    """Choose and number the documents of a language.

    Args:
        documents: all documents.
        language: their language.
        space: concepts of the candidates.
        ranks: the shown ranks of each system.
        limits: the page's limits.

    Raises:
        UserError: a document in the ranks is not among the documents.
    """
    place = pd.Index(documents.ids)
    ids = space if len(space) <= limits.documents else _listed(ranks, language)
    rows = place.get_indexer(ids)
    if (rows < 0).any():
        raise UserError(
            f"{ids[rows < 0][0]!r} was searched in {language}, and is not among its documents: "
            "ranks and documents are of different runs; run the workflow again (./run)"
        )
    counts = documents.counts[rows[: limits.documents], : limits.words].tocsr()
    counts.sort_indices()
    titles = [documents.titles[row] or documents.ids[row] for row in rows]
    return Shelf(ids, titles, counts, len(space), documents.counts.shape[1])


@dataclass(frozen=True)
class Limits:
    """Limits of the page's size.

    Attributes:
        queries: of each direction that can be chosen.
        documents: of each language whose words are on the page.
        words: of each language, the most frequent ones.
    """

    queries: int = 500
    documents: int = 5000
    words: int = 10000

    def __post_init__(self) -> None:
        """Reject an empty page."""
        for name, value in vars(self).items():
            if value < 1:
                raise UserError(f"--{name}: expected 1 or more, got {value}")


def _listed(ranks: Iterable[Ranks], language: str) -> pd.Index:
    """Return the page's documents: queries and counterparts, then the most frequent neighbours."""
    first: dict[str, None] = {}
    near: Counter[str] = Counter()
    for of_system in ranks:
        for (query, target, _), frame in of_system.items():
            if language in (query, target):
                first.update(dict.fromkeys(frame["query"]))
            if language == target:
                near.update(concept for each in frame["nearest"] for concept in each)
    others = sorted(near.keys() - first.keys(), key=lambda concept: (-near[concept], concept))
    return pd.Index([*sorted(first), *others])


def snippets(folder: Path, language: str, ids: Sequence[str]) -> list[str]:
    """Return the beginning of each document's text; none if the run kept no texts."""
    path = folder / "documents" / f"{language}.parquet"
    if not path.is_file():
        return []
    length = min(SNIPPET, ALL_SNIPPETS // max(len(ids), 1))
    wanted = dict.fromkeys(ids, "")
    for concept, text in texts.stream(path, ["concept", "text"], BATCH, language=language):
        if concept in wanted:
            wanted[concept] = _begin(text, length)
    return list(wanted.values())


def _begin(text: str, length: int) -> str:
    words = " ".join(text[: 4 * length].split())
    return words if len(words) <= length else words[:length].rstrip() + "…"
