"""Whether validation can tell two models apart: the rule of one standard error.

Breiman, Friedman, Olshen and Stone 1984, section 3.4.3, take the simplest tree within it.
"""

import numpy as np

from cr5.contracts.training import Validation


def are_alike(first: Validation, second: Validation) -> bool:
    """Return whether the MRR of two models, of the same searches, differ by no more than chance.

    If the models do not differ, the sign of what a query adds to their difference is chance, as in
    the tests of `scores.comparisons`. With s_i all that query i adds to the difference of the means
    over directions, whose ranks depend on each other, they are alike if

        |sum_i s_i| <= sqrt(sum_i s_i^2)

    which is the standard deviation of sums with random signs. One query alone tells nothing. Models
    whose ranks are not known are not alike.
    """
    if not first.ranks:
        return False
    s = _added_by_queries(first, second)
    difference = s.sum()
    variance = (s * s).sum()
    return bool(difference * difference <= variance)


def _added_by_queries(first: Validation, second: Validation) -> np.ndarray:
    """Return what each query adds to the difference of the MRR, (queries,), over all directions."""
    n_searches = len(first.ranks)
    ids = []
    added = []
    for of_first, of_second in zip(first.ranks, second.ranks, strict=True):
        n_queries = len(of_first.ids)
        difference = 1 / of_first.ranks - 1 / of_second.ranks
        ids.append(of_first.ids)
        added.append(difference / (n_queries * n_searches))
    _, number_of_query = np.unique(np.concatenate(ids), return_inverse=True)
    return np.bincount(number_of_query, weights=np.concatenate(added))
