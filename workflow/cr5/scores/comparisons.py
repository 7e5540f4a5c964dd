"""Tests between systems, from values of queries of settings that are reported as one.

If two systems do not differ, which of them did better on a query is chance: what it adds to the
difference of their figures could equally have the other sign (Fisher 1935; for retrieval Smucker,
Allan and Carterette 2007). p is the share of all sign flips that give a difference at least as
large, in either direction. A query is a name, such as a concept: what it adds in all repetitions,
and if pooled in all directions, is flipped together. Only what both systems answered counts.

Holm's correction covers a column of a table: all comparisons of a setting, task, measure and
metric, in all directions; pooled comparisons form another table. The p of a paired and of an
unpaired t-test, as in Gupta et al. (2017) and Platt et al. (2010), are given too, uncorrected.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import special

from cr5.scores.summary import ALL, DIRECTION, ROW, places, weights

FIRST = "first"  # in place of a measure: each system by its own first one
PLACE = ["setting", "series", "task", *DIRECTION, "similarity"]
TESTS = ["system", "other", "metric", "difference", "p", "p_paired", "p_unpaired", "n"]
ALPHA = 0.05
FLIPS = 99_999  # besides the observed one: the smallest p is 1 in 100,000
EXACT = 16  # differing units up to which all flips are enumerated: 65,536
CELLS = 2**19  # signs at a time: fits in the processor's cache, twice as fast
ROUNDING = 1e-9  # the same numbers summed in another order


def compare(
    values: pd.DataFrame, metrics: Sequence[str], seed: int, label: str = ""
) -> pd.DataFrame:
    """Test every system against every other, in each direction and over all of them.

    By each measure and, where systems have different first ones, by these: `PLACE`, `TESTS` and
    p_holm. `difference` is system minus other, n the number of queries that both answered.
    """
    rows = []
    for similarity, found in _by_measure(values):
        for place, part in places(found, label):
            at = place["setting"], *part.iloc[0][["series", "task"]], *place[DIRECTION], similarity
            rows += [(*at, *test) for test in _tests(part, list(metrics), seed)]
    compared = pd.DataFrame(rows, columns=[*PLACE, *TESTS])
    families = compared.groupby([compared["query"] == ALL, "similarity", "metric"])["p"]
    return compared.assign(p_holm=families.transform(holm))


def _by_measure(values: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """What is compared by each measure, and by each system's first where these differ."""
    yield from values.groupby("similarity", sort=False)
    first = values.groupby("system", sort=False)["similarity"].transform("first")
    if len(set(first)) > 1:
        yield FIRST, values[values["similarity"] == first]


def _tests(values: pd.DataFrame, metrics: list[str], seed: int) -> Iterator[tuple]:
    """Yield `TESTS` of all pairs of systems; one is summed once for all that answered the same."""
    groups = values.groupby("system", sort=False)
    every = pd.concat({x: y.set_index(ROW)[metrics].astype(float) for x, y in groups}, axis=1)
    answered = {x: every[x].notna().all(axis=1).to_numpy() for x in every.columns.unique(0)}
    added: dict[tuple[str, bytes], pd.DataFrame] = {}
    ends = {}
    for pair in combinations(answered, 2):
        both = answered[pair[0]] & answered[pair[1]]
        if both.any():
            ends[pair] = [(x, both.tobytes()) for x in pair]
            for key in ends[pair]:
                if key not in added:
                    added[key] = _added(every[key[0]][both])
    if not ends:
        return
    of = pd.concat(added.values(), axis=1).sort_index().fillna(0.0).to_numpy()
    columns = dict(zip(added, np.arange(of.shape[1]).reshape(len(added), -1), strict=True))
    sides = zip(*ends.values(), strict=True)
    ones, others = (np.concatenate([columns[key] for key in side]) for side in sides)
    p = p_values(of, ones, others, seed).reshape(len(ends), -1)
    units = {system: _units(every[system][mine]) for system, mine in answered.items()}
    for (pair, (one, other)), of_pair in zip(ends.items(), p, strict=True):
        differences = added[one] - added[other]
        t = paired_t(differences.to_numpy()), unpaired_t(*(units[system] for system in pair))
        for metric, *found in zip(metrics, differences.sum(), of_pair, *t, strict=True):
            yield *pair, metric, *found, len(differences)


def _added(values: pd.DataFrame) -> pd.DataFrame:
    """Contribution of each query to a system's mean, queries x metrics."""
    weight = weights(values.index.to_frame(index=False))
    return values.mul(weight, axis=0).groupby(level="name").sum()


def _units(values: pd.DataFrame) -> np.ndarray:
    """Queries x metrics, of the same mean as the values; those of several answers linearised."""
    mean = weights(values.index.to_frame(index=False)) @ values.to_numpy()
    added = _added(values - mean).to_numpy()
    return mean + len(added) * added


def p_values(of: np.ndarray, ones: np.ndarray, others: np.ndarray, seed: int) -> np.ndarray:
    """Test that sums of `of[:, ones] - of[:, others]` over units are zero, two-sided.

    Of many units by random flips and the observed one, so never 0 (Phipson and Smyth 2010). A flip
    is summed once a column of `of`, not once a comparison, which takes nearly all of the time.
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
    least, total = _least(differences)[:, None], differences.sum(axis=0)[:, None]
    found, at_once = np.zeros(len(ones)), max(1, CELLS // len(of))
    parts = np.array_split(np.arange(len(ones)), 1 + 8 * len(ones) // len(of))  # in the cache too
    for start in range(0, FLIPS, at_once):
        n = min(at_once, FLIPS - start)
        bits = np.frombuffer(generator.bytes(-(-n * len(of) // 8)), np.uint8)
        signs = np.unpackbits(bits, count=n * len(of)).reshape(n, -1).astype(np.float64)
        flipped = of.T @ signs.T
        for part in parts:
            sums = flipped[ones[part]] - flipped[others[part]]
            found[part] += (np.abs(total[part] - 2 * sums) >= least[part]).sum(axis=1)
    return (1 + found) / (1 + FLIPS)


def _least(differences: np.ndarray) -> np.ndarray:
    """The threshold from which a difference counts as at least the observed one."""
    return np.abs(differences.sum(axis=0)) - ROUNDING * np.abs(differences).sum(axis=0)


def holm(p: pd.Series) -> pd.Series:
    """Correct p values of one family of tests (Holm 1979)."""
    ordered = p.sort_values(kind="stable")
    return (ordered * np.arange(len(p), 0, -1)).cummax().clip(upper=1)


def paired_t(differences: np.ndarray) -> np.ndarray:
    """Student's paired t-test of units x comparisons, two-sided."""
    n = len(differences)
    return _p_of_t(differences.mean(axis=0), n * differences.var(axis=0), n - 1, 1 / n)


def unpaired_t(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Student's t-test of two sets of units x comparisons, two-sided, variances being equal."""
    n, m = len(one), len(other)
    squares = n * one.var(axis=0) + m * other.var(axis=0)
    return _p_of_t(one.mean(axis=0) - other.mean(axis=0), squares, n + m - 2, 1 / n + 1 / m)


@np.errstate(all="ignore")
def _p_of_t(means: np.ndarray, squares: np.ndarray, freedom: int, share: float) -> np.ndarray:
    """1 if a variance is unknown, or there is neither a difference nor a variance."""
    p = 2 * special.stdtr(freedom, -np.abs(means / np.sqrt(squares / freedom * share)))
    return np.where(np.isnan(p), 1.0, p)
