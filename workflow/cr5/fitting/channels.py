"""Channels: what is known of one language alone, besides the documents that languages share.

A channel is text, and may say which texts are relevant for which queries: titles and articles, or
queries and what was clicked on. Networks learn from it what is similar within a language (Gupta,
Banchs and Rosso 2017).
"""

from dataclasses import dataclass
from pathlib import Path

from scipy import sparse

from cr5.tasks import ad_hoc, texts


@dataclass(frozen=True, eq=False)
class Channel:
    """Text of one language, in the words of the training documents.

    Attributes:
        documents: counts, documents x words.
        queries: counts, queries x words; None if there are none.
        relevance: queries x documents, the grade where a document is relevant; None if there are no
            queries.
    """

    documents: sparse.csr_matrix
    queries: sparse.csr_matrix | None = None
    relevance: sparse.csr_matrix | None = None


def load(
    folder: str | Path,
    language: str,
    columns: sparse.csr_matrix | None = None,
    qrels: str | Path | None = None,
) -> Channel:
    """Read a channel, counted with the vocabulary of the documents.

    Args:
        folder: written by `tasks.texts.save`.
        language: of the texts.
        columns: which words become which of the model, see `counts.columns`; None for all.
        qrels: file of judgements, if there are queries.

    Raises:
        UserError: the folder is of something else, or a file is missing or damaged.
    """
    found = texts.load(folder, columns, language=language)
    documents, queries = found["documents"], found.get("queries")
    if queries is None:
        return Channel(documents.counts)
    grades = ad_hoc.judgements(qrels)
    relevant = ad_hoc.by_pair(grades[grades["grade"] > 0], queries.ids, documents.ids)
    return Channel(documents.counts, queries.counts, relevant)
