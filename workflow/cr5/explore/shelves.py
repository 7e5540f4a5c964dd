"""The page's documents by language, numbered as in its files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.counts import documents as texts
from cr5.retrieval.results import Documents

SNIPPET = 300  # characters of a document's text
BATCH = 10_000
ALL_SNIPPETS = 3_000_000  # characters of a language's
HUBS = 30  # of each direction and measure
QUERIES = 500  # of each direction, on the page

Ranks = Mapping[tuple[str, str, str], pd.DataFrame]


@dataclass(frozen=True)
class Shelf:
    """The documents of one language.

    Attributes:
        ids: concepts.
        titles: title of each.
    """

    ids: pd.Index
    titles: list[str]


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
    documents: Documents, language: str, ranks: Iterable[Ranks], every: Iterable[Ranks]
) -> Shelf:
    """Choose and number the documents of a language: queries, their neighbours, and hubs.

    Args:
        documents: all documents.
        language: their language.
        ranks: the shown ranks of each system.
        every: all ranks of each system.

    Raises:
        UserError: a document in the ranks is not among the documents.
    """
    ids = _listed(ranks, every, language)
    rows = pd.Index(documents.ids).get_indexer(ids)
    if (rows < 0).any():
        raise UserError(
            f"{ids[rows < 0][0]!r} was searched in {language}, and is not among its documents: "
            "ranks and documents are of different runs; run the workflow again (./run)"
        )
    return Shelf(ids, [documents.titles[row] or documents.ids[row] for row in rows])


def _listed(ranks: Iterable[Ranks], every: Iterable[Ranks], language: str) -> pd.Index:
    """Return the concepts of the page's documents, sorted."""
    found: set[str] = set()
    for of_system in ranks:
        for (query, target, _), frame in of_system.items():
            if language in (query, target):
                found.update(frame["query"])
            if language == target:
                found.update(concept for each in frame["nearest"] for concept in each)
    for of_system in every:
        for (_, target, _), frame in of_system.items():
            if language == target:
                found.update(concept for concept, _ in hubs(frame["nearest"]))
    return pd.Index(sorted(found))


def hubs(nearest: pd.Series) -> list[tuple[str, int]]:
    """Return the documents most often among the nearest, and of how many queries (N_10)."""
    counts = Counter(concept for each in nearest for concept in each)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:HUBS]


def snippets(folder: Path, language: str, ids: Sequence[str]) -> list[str]:
    """Return the beginning of each document's text; none if the run kept no texts."""
    path = folder / "documents" / language
    if not path.is_dir():
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
