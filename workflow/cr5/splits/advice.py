"""What to change if no query can be drawn: the key that prevents it, and a value for it."""

import math
from collections.abc import Collection, Mapping

import pandas as pd

from cr5.splits.drawn import Draw
from cr5.splits.options import Pair, Sizes
from cr5.splits.unmatched import nearly_the_same

MORE = "bring more documents that languages share, or widen bags.unique_words"


def without_queries(
    drawn: Draw,
    documents: Mapping[str, pd.Index],
    sizes: Sizes,
    searched: Collection[Pair] | None = None,
) -> str:
    """Say why no pair of these languages has both test and validation queries, and what to do.

    A role with a share of 0, which draws none on purpose, needs no queries.

    Args:
        drawn: queries and candidates of the corpus.
        documents: per language, the concepts of all kept documents.
        sizes: used for the draw.
        searched: pairs of these languages; None for all.

    Returns:
        An empty string if a pair has them.
    """
    languages = sorted(documents)
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
    said = [
        f"no test or validation query can be drawn for {', '.join(languages)}.",
        f"Concepts that pairs share: {counts}; of these at most splits.max_share "
        f"({dict(sizes.max_share)}) are drawn.",
        for_queries(pairs, sizes),
        *nearly_the_same(documents, pairs),
    ]
    return " ".join(said)


def for_queries(pairs: pd.DataFrame, sizes: Sizes) -> str:
    """Say what to do if no pair has both test and validation queries.

    Args:
        pairs: first, second, concepts, test, validation, as in `Draw.pairs`.
        sizes: used for the draw.

    Returns:
        A sentence about the pair that shares most concepts.
    """
    most = pairs["concepts"].max() if len(pairs) else 0
    if not most:
        return f"{MORE.capitalize()}."
    pair = pairs.loc[pairs["concepts"].idxmax()]
    is_tested = pair["test"] or not sizes.max_share["test"]
    return _for_validation(pair, sizes) if is_tested else _for_test(pair, sizes)


def _for_test(pair: pd.Series, sizes: Sizes) -> str:
    if int(sizes.max_share["test"] * pair["concepts"]) < 1:
        return _too_small("test", pair["concepts"], sizes)
    return f"Too few of these documents are as long as queries must be: {_widen(sizes)}."


def _for_validation(pair: pd.Series, sizes: Sizes) -> str:
    left = pair["concepts"] - pair["test"]
    if int(sizes.max_share["validation"] * left) < 1 and left >= pair["test"]:
        return _too_small("validation", left, sizes)
    other = f", or {_widen(sizes)}" if sizes.query_unique_words else ""
    return (
        f"Test queries take {pair['test']} of the {pair['concepts']} concepts of {pair['first']} "
        f"and {pair['second']}, those of other pairs more of them, and too few are left for "
        "validation: lower splits.max_share.test (now "
        f"{sizes.max_share['test']:g}) or splits.test (now {sizes.test}){other}."
    )


def _widen(sizes: Sizes) -> str:
    return f"widen splits.query_unique_words (now {list(sizes.query_unique_words or ())})"


def _too_small(role: str, concepts: int, sizes: Sizes) -> str:
    if concepts == 1:
        return f"One concept cannot be a {role} query and train: {MORE}."
    needed = math.ceil(1000 / concepts) / 1000
    return (
        f"For one {role} query raise splits.max_share.{role} (now {sizes.max_share[role]:g}) to "
        f"{needed:g} or more, {MORE}."
    )
