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
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from cr5.scores.ranks import DIRECTION
from cr5.scores.summary import ALL, ROW, places, weights

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
    for similarity, of_measure in _by_measure(values):
        for place, of_place in places(of_measure, label):
            series, task = of_place.iloc[0][["series", "task"]]
            direction = (place.query_language, place.target_language)
            names = (place.setting, series, task, *direction, similarity)
            for test in _tests(of_place, list(metrics), seed):
                rows.append((*names, *test))
    compared = pd.DataFrame(rows, columns=[*PLACE, *TESTS])
    is_pooled = compared["query_language"] == ALL
    families = compared.groupby([is_pooled, "similarity", "metric"])["p"]
    return compared.assign(p_holm=families.transform(holm))


def _by_measure(values: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """What is compared by each measure, and by each system's first where these differ."""
    yield from values.groupby("similarity", sort=False)
    first = values.groupby("system", sort=False)["similarity"].transform("first")
    if len(set(first)) > 1:
        yield FIRST, values[values["similarity"] == first]


@dataclass(frozen=True)
class Answers:
    """What the systems of a place answered, with the rows in groups.

    A group has the rows that the same systems answered. So groups tell which rows two systems have
    in common, and what a system's queries add is summed once for all others with the same groups.
    """

    frames: dict[str, pd.DataFrame]  # by system, rows (`ROW`) x metrics, nan without an answer
    answered: dict[str, np.ndarray]  # by system, in which rows it has an answer
    group: np.ndarray  # of each row

    @classmethod
    def of(cls, values: pd.DataFrame, metrics: list[str]) -> "Answers":
        """Take them from the values of queries."""
        frames = {
            system: of_system.set_index(ROW)[metrics].astype(float)
            for system, of_system in values.groupby("system", sort=False)
        }
        joined = pd.concat(frames, axis=1)
        answered = {name: joined[name].notna().all(axis=1).to_numpy() for name in frames}
        rows = pd.Series(0, range(len(joined)))
        group = rows.groupby(list(answered.values()), sort=False).ngroup().to_numpy()
        return cls({name: joined[name] for name in frames}, answered, group)

    def in_common(self, system: str, other: str) -> tuple[int, ...]:
        """Groups of the rows that both systems answered."""
        both = self.answered[system] & self.answered[other]
        return tuple(np.unique(self.group[both]))

    def contributions(self, system: str, groups: tuple[int, ...]) -> pd.DataFrame:
        """Contribution of each query of some groups to a system's mean, queries x metrics."""
        is_in_groups = np.isin(self.group, groups)
        return _contributions(self.frames[system][is_in_groups])

    def units(self, system: str) -> np.ndarray:
        """Units of all that a system answered, see `_units`."""
        return _units(self.frames[system][self.answered[system]])


class Side(NamedTuple):
    """One of two systems that are compared, and the groups of the rows that both answered."""

    system: str
    groups: tuple[int, ...]


def _tests(values: pd.DataFrame, metrics: list[str], seed: int) -> Iterator[tuple]:
    """Yield `TESTS` of all pairs of systems that answered a query in common."""
    answers = Answers.of(values, metrics)
    contributions: dict[Side, pd.DataFrame] = {}
    pairs = []
    for system, other in combinations(answers.answered, 2):
        groups = answers.in_common(system, other)
        if groups:
            pair = (Side(system, groups), Side(other, groups))
            pairs.append(pair)
            for side in pair:
                if side not in contributions:
                    contributions[side] = answers.contributions(side.system, groups)
    if not pairs:
        return
    p = _randomised(pairs, contributions, seed)
    units = {system: answers.units(system) for system in answers.answered}
    for (one, other), p_of_pair in zip(pairs, p, strict=True):
        differences = contributions[one] - contributions[other]
        columns = [
            metrics,
            differences.sum(),
            p_of_pair,
            paired_t(differences.to_numpy()),
            unpaired_t(units[one.system], units[other.system]),
        ]
        for column in zip(*columns, strict=True):
            yield one.system, other.system, *column, len(differences)


def _randomised(
    pairs: Sequence[tuple[Side, Side]], contributions: dict[Side, pd.DataFrame], seed: int
) -> np.ndarray:
    """Return the p values of the randomisation tests, pairs x metrics."""
    stacked = pd.concat(contributions.values(), axis=1).sort_index().fillna(0.0).to_numpy()
    columns = np.arange(stacked.shape[1]).reshape(len(contributions), -1)
    columns_of = dict(zip(contributions, columns, strict=True))
    ones = np.concatenate([columns_of[one] for one, _ in pairs])
    others = np.concatenate([columns_of[other] for _, other in pairs])
    return p_values(stacked, ones, others, seed).reshape(len(pairs), -1)


def _contributions(values: pd.DataFrame) -> pd.DataFrame:
    """Contribution of each query to a system's mean, queries x metrics."""
    weight = weights(values.index.to_frame(index=False))
    return values.mul(weight, axis=0).groupby(level="query_id").sum()


def _units(values: pd.DataFrame) -> np.ndarray:
    """Queries x metrics, of the same mean as the values; those of several answers linearised.

    With the mean m of all answers, and c the contributions of n queries to the mean of what is
    left without it, a query's unit is m + n c.
    """
    mean = weights(values.index.to_frame(index=False)) @ values.to_numpy()
    contributions = _contributions(values - mean).to_numpy()
    return mean + len(contributions) * contributions


def p_values(
    contributions: np.ndarray, ones: np.ndarray, others: np.ndarray, seed: int
) -> np.ndarray:
    """Test that sums of `contributions[:, ones] - contributions[:, others]` are zero, two-sided.

    Over units, the rows. Of many units by random flips and the observed one, so never 0 (Phipson
    and Smyth 2010). A flip is summed once a column, not once a comparison, which takes nearly all
    of the time.
    """
    p = np.ones(len(ones))
    n_differing = (contributions[:, ones] != contributions[:, others]).sum(axis=0)
    for comparison in np.flatnonzero(n_differing <= EXACT):
        of_one = contributions[:, ones[comparison]]
        differences = of_one - contributions[:, others[comparison]]
        p[comparison] = _enumerated(differences[differences != 0])
    drawn = np.flatnonzero(n_differing > EXACT)
    if len(drawn):
        generator = np.random.default_rng(seed)
        p[drawn] = _drawn(contributions, ones[drawn], others[drawn], generator)
    return p


def _enumerated(differences: np.ndarray) -> float:
    """Share of all flips of signs whose sum is at least as large as the observed one."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return (np.abs(sums) >= _threshold(differences)).mean()


def _drawn(
    contributions: np.ndarray, ones: np.ndarray, others: np.ndarray, generator: np.random.Generator
) -> np.ndarray:
    """Share of random flips, and the observed one, whose sum is at least as large as observed.

    A flip takes twice the sum of what it flips, s, from the observed total t: t - 2 s.
    """
    differences = contributions[:, ones] - contributions[:, others]
    threshold = _threshold(differences)[:, None]
    total = differences.sum(axis=0)[:, None]
    n_as_large = np.zeros(len(ones))
    n_units = len(contributions)
    n_parts = 1 + 8 * len(ones) // n_units  # in the cache too
    parts = np.array_split(np.arange(len(ones)), n_parts)
    n_at_once = max(1, CELLS // n_units)
    for start in range(0, FLIPS, n_at_once):
        n_flips = min(n_at_once, FLIPS - start)
        n_bytes = -(-n_flips * n_units // 8)
        bits = np.frombuffer(generator.bytes(n_bytes), np.uint8)
        is_flipped = np.unpackbits(bits, count=n_flips * n_units).reshape(n_flips, -1)
        flipped = contributions.T @ is_flipped.astype(np.float64).T
        for part in parts:
            sums = flipped[ones[part]] - flipped[others[part]]
            is_as_large = np.abs(total[part] - 2 * sums) >= threshold[part]
            n_as_large[part] += is_as_large.sum(axis=1)
    return (1 + n_as_large) / (1 + FLIPS)


def _threshold(differences: np.ndarray) -> np.ndarray:
    """The sum from which a flip counts as at least the observed one."""
    return np.abs(differences.sum(axis=0)) - ROUNDING * np.abs(differences).sum(axis=0)


def holm(p: pd.Series) -> pd.Series:
    """Correct p values of one family of tests (Holm 1979)."""
    ordered = p.sort_values(kind="stable")
    return (ordered * np.arange(len(p), 0, -1)).cummax().clip(upper=1)


def paired_t(differences: np.ndarray) -> np.ndarray:
    """Student's paired t-test of units x comparisons, two-sided."""
    n = len(differences)
    squares = n * differences.var(axis=0)
    return _p_of_t(differences.mean(axis=0), squares, n - 1, 1 / n)


def unpaired_t(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Student's t-test of two sets of units x comparisons, two-sided, variances being equal."""
    n = len(one)
    m = len(other)
    squares = n * one.var(axis=0) + m * other.var(axis=0)
    difference = one.mean(axis=0) - other.mean(axis=0)
    return _p_of_t(difference, squares, n + m - 2, 1 / n + 1 / m)


@np.errstate(all="ignore")
def _p_of_t(means: np.ndarray, squares: np.ndarray, freedom: int, share: float) -> np.ndarray:
    """Two-sided p of a mean by its t; squares are sums of squared deviations.

        t = mean / sqrt(squares / freedom * share)

    1 if a variance is unknown, or there is neither a difference nor a variance.
    """
    t = means / np.sqrt(squares / freedom * share)
    p = 2 * special.stdtr(freedom, -np.abs(t))
    return np.where(np.isnan(p), 1.0, p)
