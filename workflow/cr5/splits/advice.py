"""What is said if no query can be drawn."""

from collections.abc import Collection, Iterable

import pandas as pd

from cr5.splits.drawn import Draw
from cr5.splits.options import Pair, Sizes


def without_queries(
    drawn: Draw,
    languages: Iterable[str],
    sizes: Sizes,
    searched: Collection[Pair] | None = None,
) -> str:
    """Say why no pair of these languages has both test and validation queries, and what to do.

    A role with a share of 0, which draws none on purpose, needs no queries.

    Args:
        drawn: queries and candidates of the corpus.
        languages: of the documents.
        sizes: used for the draw.
        searched: pairs of these languages; None for all.

    Returns:
        An empty string if a pair has them.
    """
    languages = sorted(languages)
    pairs = drawn.pairs[
        drawn.pairs["first"].isin(languages) & drawn.pairs["second"].isin(languages)
    ]
    if searched is not None:
        names = pd.MultiIndex.from_frame(pairs[["first", "second"]])
        pairs = pairs[names.isin(list(map(tuple, searched)))]
    wanted = [role for role in ("test", "validation") if sizes.max_share[role]]
    if (pairs[wanted] > 0).all(axis=1).any():
        return ""
    counts = ", ".join(
        f"{row.first}-{row.second} {row.concepts}" for row in pairs.itertuples(index=False)
    )
    return (
        f"no test or validation query can be drawn for {', '.join(languages)}. Concepts that pairs "
        f"share: {counts}; of these at most splits.max_share ({dict(sizes.max_share)}) are drawn: "
        "bring more documents that languages share, or change splits or bags.unique_words"
    )
