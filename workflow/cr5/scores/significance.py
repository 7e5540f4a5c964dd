"""Randomisation tests of differences between two systems that answered the same queries.

If two systems do not differ, which of them did better on a query is chance: the contribution of the
query to the difference of their means could equally have the other sign (Fisher 1935; for retrieval
Smucker, Allan and Carterette 2007). p is the share of all sign flips that give a difference at
least as large as the observed one, in either direction. No distribution of values is assumed.

A unit is flipped as a whole. p accounts for the choice of queries; it does not account for other
seeds or draws of training data if fits are random.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ALPHA = 0.05
FLIPS = 99_999  # besides the observed one: the smallest p is 1 in 100,000
EXACT = 16  # differing units up to which all flips are enumerated: 65,536
CELLS = 2**19  # signs at a time: fits in the processor's cache, twice as fast
ROUNDING = 1e-9  # the same numbers summed in another order


@dataclass(frozen=True)
class Between:
    """Differences expressed through fewer columns: `of[:, ones] - of[:, others]`.

    Attributes:
        of: units x columns.
        ones, others: (comparisons,), column numbers.
    """

    of: np.ndarray
    ones: np.ndarray
    others: np.ndarray


def p_values(differences: np.ndarray, seed: int, between: Between | None = None) -> np.ndarray:
    """Test that sums are zero, two-sided.

    Args:
        differences: units x comparisons; a unit's contribution to each difference.
        seed: for drawing flips if there are too many to enumerate.
        between: the same differences in another form, if available: each flip is then summed once
            per column instead of once per comparison, which takes nearly all of the time.

    Returns:
        (comparisons,): exact if at most `EXACT` units differ from zero, else from `FLIPS` random
        flips and the observed one, so p is never zero (Phipson and Smyth 2010).
    """
    few = (differences != 0).sum(axis=0) <= EXACT
    p = np.ones(len(few))
    p[few] = [_exact(column[column != 0]) for column in differences[:, few].T]
    if not few.all():
        generator, many = np.random.default_rng(seed), np.flatnonzero(~few)
        p[many] = _drawn(differences[:, many], _sums(differences, between, many), generator)
    return p


def holm(p: np.ndarray) -> np.ndarray:
    """Correct p values of one family of tests (Holm 1979).

    The i-th smallest of m is multiplied by m - i + 1, kept monotone, and capped at 1.
    """
    order = np.argsort(p, kind="stable")
    times = np.arange(len(p), 0, -1)
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * times), 1)
    return corrected


def _exact(differences: np.ndarray) -> float:
    sums = np.zeros(1)
    for each in differences:
        sums = np.concatenate([sums + each, sums - each])
    return (np.abs(sums) >= _least(differences)).mean()


def _sums(
    differences: np.ndarray, between: Between | None, many: np.ndarray
) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function from rows of zeros and ones to sums of the units at the ones."""
    if between is None:
        columns = differences[:, many]
        return lambda chosen: chosen @ columns
    ones, others = between.ones[many], between.others[many]

    def sums(chosen: np.ndarray) -> np.ndarray:
        of = chosen @ between.of
        return of[:, ones] - of[:, others]

    return sums


def _drawn(
    differences: np.ndarray,
    sums: Callable[[np.ndarray], np.ndarray],
    generator: np.random.Generator,
) -> np.ndarray:
    units, comparisons = differences.shape
    least, total = _least(differences), differences.sum(axis=0)
    found, at_once = np.zeros(comparisons), max(1, CELLS // units)
    for start in range(0, FLIPS, at_once):
        flipped = _signs(min(at_once, FLIPS - start), units, generator)
        found += (np.abs(total - 2 * sums(flipped)) >= least).sum(axis=0)
    return (1 + found) / (1 + FLIPS)


def _signs(rows: int, columns: int, generator: np.random.Generator) -> np.ndarray:
    """Draw zeros and ones, one random bit each."""
    drawn = np.frombuffer(generator.bytes(-(-rows * columns // 8)), np.uint8)
    return np.unpackbits(drawn, count=rows * columns).reshape(rows, columns).astype(np.float64)


def _least(differences: np.ndarray) -> np.ndarray:
    """The threshold from which a difference counts as at least the observed one."""
    return np.abs(differences.sum(axis=0)) - ROUNDING * np.abs(differences).sum(axis=0)
