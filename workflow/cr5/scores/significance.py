"""Tests of differences between two systems: by randomisation, and by Student's t.

If two systems that answered the same queries do not differ, which of them did better on a query is
chance: the contribution of the query to the difference of their means could equally have the other
sign (Fisher 1935; for retrieval Smucker, Allan and Carterette 2007). p is the share of all sign
flips that give a difference at least as large as the observed one, in either direction. No
distribution of values is assumed. p accounts for the choice of queries; it does not account for
other seeds or draws of training data if fits are random.
"""

import numpy as np

ALPHA = 0.05
FLIPS = 99_999  # besides the observed one: the smallest p is 1 in 100,000
EXACT = 16  # differing units up to which all flips are enumerated: 65,536
CELLS = 2**19  # signs at a time: fits in the processor's cache, twice as fast
ROUNDING = 1e-9  # the same numbers summed in another order


def p_values(of: np.ndarray, ones: np.ndarray, others: np.ndarray, seed: int) -> np.ndarray:
    """Test that sums of `of[:, ones] - of[:, others]` are zero, two-sided.

    Each flip is summed once a column, not once a comparison, which takes nearly all of the time.

    Args:
        of: units x columns; what a unit contributes, and is flipped as a whole.
        ones: (comparisons,), column numbers.
        others: likewise.
        seed: for drawing flips if there are too many to enumerate.

    Returns:
        (comparisons,): exact if at most `EXACT` units differ from zero, else from `FLIPS` random
        flips and the observed one, so p is never zero (Phipson and Smyth 2010).
    """
    p = np.ones(len(ones))
    many = np.flatnonzero((of[:, ones] != of[:, others]).sum(axis=0) > EXACT)
    for place in np.setdiff1d(np.arange(len(ones)), many):
        differences = of[:, ones[place]] - of[:, others[place]]
        p[place] = _exact(differences[differences != 0])
    if len(many):
        p[many] = _drawn(of, ones[many], others[many], np.random.default_rng(seed))
    return p


def _exact(differences: np.ndarray) -> float:
    sums = np.zeros(1)
    for each in differences:
        sums = np.concatenate([sums + each, sums - each])
    return (np.abs(sums) >= _least(differences)).mean()


def _drawn(
    of: np.ndarray, ones: np.ndarray, others: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    differences = of[:, ones] - of[:, others]
    least, total = _least(differences), differences.sum(axis=0)
    found, at_once = np.zeros(len(ones)), max(1, CELLS // len(of))
    for start in range(0, FLIPS, at_once):
        flipped = _signs(min(at_once, FLIPS - start), len(of), generator) @ of
        sums = flipped[:, ones] - flipped[:, others]
        found += (np.abs(total - 2 * sums) >= least).sum(axis=0)
    return (1 + found) / (1 + FLIPS)


def _signs(rows: int, columns: int, generator: np.random.Generator) -> np.ndarray:
    """Draw zeros and ones, one random bit each."""
    drawn = np.frombuffer(generator.bytes(-(-rows * columns // 8)), np.uint8)
    return np.unpackbits(drawn, count=rows * columns).reshape(rows, columns).astype(np.float64)


def _least(differences: np.ndarray) -> np.ndarray:
    """Return the threshold from which a difference counts as at least the observed one."""
    return np.abs(differences.sum(axis=0)) - ROUNDING * np.abs(differences).sum(axis=0)


def holm(p: np.ndarray) -> np.ndarray:
    """Correct p values of one family of tests (Holm 1979).

    The i-th smallest of m is multiplied by m - i + 1, kept monotone, and capped at 1.
    """
    order = np.argsort(p, kind="stable")
    corrected = np.empty(len(p))
    times = np.arange(len(p), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * times), 1)
    return corrected


def paired_t(differences: np.ndarray) -> np.ndarray:
    """Student's paired t-test of units x comparisons, two-sided, (comparisons,).

    It is 1 if there is a single unit or no difference, 0 if all units have the same one.
    """
    n, mean = len(differences), differences.mean(axis=0)
    with np.errstate(all="ignore"):
        return _two_sided(mean / np.sqrt(differences.var(axis=0) / (n - 1)), n - 1)


def unpaired_t(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Student's t-test of two sets of units x comparisons, two-sided, variances being equal.

    It is 1 if means are equal or a variance is unknown, 0 if means differ with no variance.
    """
    n, m = len(one), len(other)
    with np.errstate(all="ignore"):
        squares = n * one.var(axis=0) + m * other.var(axis=0)
        error = np.sqrt(squares / (n + m - 2) * (1 / n + 1 / m))
        return _two_sided((one.mean(axis=0) - other.mean(axis=0)) / error, n + m - 2)


def _two_sided(t: np.ndarray, freedom: int) -> np.ndarray:
    """Return the probability that Student's t is as far from 0 or farther; 1 where t is unknown."""
    from scipy import special  # stats takes half a second to import

    p = 2 * special.stdtr(freedom, -np.abs(t))
    return np.where(np.isnan(p), 1.0, p)
