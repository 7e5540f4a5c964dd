"""The texts of all parts of a language together.

Needed only if a system starts from running text, as word vectors do.
"""

from collections.abc import Sequence
from pathlib import Path

from cr5.counts import documents
from cr5.counts.counting import segments
from cr5.counts.merging import articles


def join(
    texts: Sequence[str | Path],
    counts: Sequence[str | Path],
    out: str | Path,
    language: str | None = None,
) -> int:
    """Write documents/{language}.parquet from its parts; one job.

    Args:
        texts: the parts' texts, from `cr5.counts.part_texts`; the documents keep this order.
        counts: the parts' counts, in the same order: they show which articles share a concept.
        out: parquet file of `cr5.counts.documents`.
        language: of the documents.

    Returns:
        The number of articles.

    Raises:
        UserError: there is no article.
    """
    of = {"language": language} if language else {}
    is_first = articles(segments(counts, **of)).is_first
    rows = (row for text in texts for row in documents.stream(text, batch_size=64, **of))
    kept = (row for row, first in zip(rows, is_first, strict=True) if first)
    return documents.write(out, kept, language)
