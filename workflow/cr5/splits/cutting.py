"""Reduce the training concepts that two languages share, to some number or to none.

The Cr5 paper (Sec. 4.2) has two such settings. Low-resource: the intersection of Danish and
Vietnamese is cut to 10,000 concepts. Transitive: none of it trains, and the two languages are
linked through English.
"""

import numpy as np
import pandas as pd
from scipy.sparse import csgraph

from cr5.base.errors import LeftOutError
from cr5.splits.options import Cut, Pair


def apply(members: pd.DataFrame, exist: pd.DataFrame, cut: Cut, seed: int) -> None:
    """Take documents out of training, in place.

    Args:
        members: concepts x languages, True where a document may train.
        exist: concepts x languages, True where there is a document.
        cut: what to take out.
        seed: of the order of concepts, which depends on the pair but on no other language.

    Raises:
        LeftOutError: the data have too few concepts for this number.
    """
    first, second = cut.pair
    order = _order(members.index[members[first] & members[second]], cut.pair, seed)
    n = _number(cut, len(order))
    if cut.shared == "drop":
        both = exist.index[exist[first] & exist[second]]
        members.loc[both.difference(order[:n])] = False
        return
    is_first = np.arange(len(order)) % 2 == 0  # by place: the same for all numbers of a setting
    members.loc[order[n:][is_first[n:]], second] = False
    members.loc[order[n:][~is_first[n:]], first] = False


def check_linked(members: pd.DataFrame, cut: Cut) -> None:
    """Check that the pair is still linked, at least through other languages.

    Args:
        members: concepts x languages, True where a document trains.
        cut: that was applied.

    Raises:
        LeftOutError: no chain of training concepts leads from one language to the other.
    """
    numbers = members.to_numpy().astype(np.int64)
    _, part = csgraph.connected_components(numbers.T @ numbers > 0, directed=False)
    part = dict(zip(members.columns, part, strict=True))
    first, second = cut.pair
    if part[first] == part[second]:
        return
    others = [x for x in members.columns if x not in cut.pair]
    hint = {
        "drop": "With `shared: split`, concepts that both have are divided between them. ",
        "split": "",
    }[cut.shared]
    raise LeftOutError(
        f"nothing links {first} and {second} through {', '.join(others) or 'any other language'}: "
        f"no concept is left to train on in each of the two and in another language. {hint}Name "
        "more languages in `via`, or bring more documents."
    )


def _order(shared: pd.Index, pair: Pair, seed: int) -> pd.Index:
    generator = np.random.default_rng([seed, *"-".join(pair).encode()])
    return shared.sort_values()[generator.permutation(len(shared))]


def _number(cut: Cut, there: int) -> int:
    most = int(cut.max_share * there)
    if not cut.concepts or most > cut.beyond:
        return min(cut.concepts, most)
    than = f"the {cut.beyond} of the next smaller number" if cut.beyond else "none at all"
    raise LeftOutError(
        f"{' and '.join(cut.pair)} share {there} concepts that could train, and `max_share: "
        f"{cut.max_share:g}` allows {most} of them, no more than {than}. Take {cut.concepts} out "
        "of `concepts`, raise `max_share`, or bring more documents."
    )
