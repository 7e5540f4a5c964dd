"""What to change if no query can be drawn: the key that prevents it, and a value for it."""

import math

import pandas as pd

from cr5.splits.sizes import Sizes

MORE = "bring more documents that languages share, or widen bags.unique_words"


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
    needed = math.ceil(1000 / concepts) / 1000
    return (
        f"For one {role} query raise splits.max_share.{role} (now {sizes.max_share[role]:g}) to "
        f"{needed:g} or more, {MORE}."
    )
