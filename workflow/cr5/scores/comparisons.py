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

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations

import numpy as np
import pandas as pd
from scipy import special

from cr5.scores.intervals import Clusters, numbered, sums
from cr5.scores.ranks import DIRECTION
from cr5.scores.summary import ALL, places

FIRST_MEASURE = "first"  # in place of a measure: each system by its own first one
PLACE = ["setting", "series", "task"] + DIRECTION + ["similarity"]
TESTS = ["system", "other", "metric", "difference", "p", "p_paired", "p_unpaired", "n"]
ALPHA = 0.05
N_FLIPS = 99_999  # besides the observed one: the smallest p is 1 in 100,000
MOST_ENUMERATED = 16  # differing units up to which all flips are enumerated: 65,536
SIGNS_AT_ONCE = 2**19  # signs at a time: fits in the processor's cache, twice as fast
ROUNDING = 1e-9  # the same numbers summed in another order


def compare(
    values: pd.DataFrame, metrics: Sequence[str], seed: int, label: str = ""
) -> pd.DataFrame:
    """Test every system against every other, in each direction and over all of them.

    By each measure and, where systems have different first ones, by these: `PLACE`, `TESTS` and
    p_holm. `difference` is system minus other, n the number of queries that both answered.
    """
    rows = []
    for similarity, measured in _by_measure(values):
        for place, place_values in places(measured, label):
            first = place_values.iloc[0]
            place_keys = {
                "setting": place.setting,
                "series": first["series"],
                "task": first["task"],
                "query_language": place.query_language,
                "target_language": place.target_language,
                "similarity": similarity,
            }
            for test in _tests(place_values, list(metrics), seed):
                rows.append(place_keys | asdict(test))
    compared = pd.DataFrame(rows, columns=PLACE + TESTS)
    is_pooled = compared["query_language"] == ALL
    families = compared.groupby([is_pooled, "similarity", "metric"])
    p_holm = families["p"].transform(holm)
    return compared.assign(p_holm=p_holm)


def _by_measure(values: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield what is compared by each measure, and by each system's first where these differ."""
    yield from values.groupby("similarity", sort=False)
    systems = values.groupby("system", sort=False)
    first_measure = systems["similarity"].transform("first")
    if len(set(first_measure)) > 1:
        is_by_first = values["similarity"] == first_measure
        yield FIRST_MEASURE, values[is_by_first]


@dataclass(frozen=True)
class Outcome:
    """The outcome of the tests between two systems by a metric: `TESTS`."""

    system: str
    other: str
    metric: str
    difference: float  # of their means
    p: float  # of the randomisation test
    p_paired: float
    p_unpaired: float
    n: int  # queries that both answered


@dataclass(frozen=True)
class Answers:
    """What the systems of a place answered, with the rows in groups.

    A row is a query in a direction and repetition. A group has the rows that the same systems
    answered. So groups tell which rows two systems have in common, and what a system's queries add
    is summed once for all others with the same groups.
    """

    clusters: Clusters  # of the rows
    values: dict[str, np.ndarray]  # by system, rows x metrics, nan without an answer
    answered: dict[str, np.ndarray]  # by system, in which rows it has an answer
    group: np.ndarray  # of each row

    @classmethod
    def of(cls, values: pd.DataFrame, metrics: list[str]) -> "Answers":
        """Take what was answered from the values of queries, see `summary.by_query`."""
        of_values = Clusters.of(values)
        row = numbered([of_values.direction, of_values.repetition, of_values.query])
        _, firsts = np.unique(row, return_index=True)
        shape = (len(firsts), len(metrics))
        all_values = values[metrics].to_numpy(float)
        systems = values["system"].to_numpy()
        values_of = {}
        answered = {}
        for system in pd.unique(systems):
            is_of_system = systems == system
            rows_of_system = row[is_of_system]
            of_system = np.full(shape, np.nan)
            of_system[rows_of_system] = all_values[is_of_system]
            is_missing = np.isnan(of_system)
            values_of[system] = of_system
            answered[system] = ~is_missing.any(axis=1)
        systems_of_rows = np.column_stack(list(answered.values()))
        _, group = np.unique(systems_of_rows, axis=0, return_inverse=True)
        return cls(of_values.take(firsts), values_of, answered, group)

    def in_common(self, first_system: str, second_system: str) -> tuple[int, ...]:
        """Return the groups of the rows that both systems answered."""
        is_common = self.answered[first_system] & self.answered[second_system]
        groups = self.group[is_common]
        return tuple(np.unique(groups))

    def is_asked(self, groups: tuple[int, ...]) -> np.ndarray:
        """Return which queries have a row in some groups, (queries,)."""
        is_in_groups = np.isin(self.group, groups)
        is_asked = np.zeros(self.clusters.n_queries, bool)
        is_asked[self.clusters.query[is_in_groups]] = True
        return is_asked

    def contributions(self, system: str, groups: tuple[int, ...]) -> np.ndarray:
        """Return what each query adds to a system's mean of some groups, queries x metrics."""
        is_in_groups = np.isin(self.group, groups)
        weight = self.clusters.take(is_in_groups).weight
        values = self.values[system][is_in_groups]
        query = self.clusters.query[is_in_groups]
        return sums(values * weight[:, None], query, self.clusters.n_queries)

    def units(self, system: str) -> np.ndarray:
        """Return queries x metrics of the same mean as the values; of several answers, linearised.

        With the mean m of all answers, and c the contributions of n queries to the mean of what is
        left without it, a query's unit is m + n c.
        """
        has_answer = self.answered[system]
        values = self.values[system][has_answer]
        clusters = self.clusters.take(has_answer)
        n = clusters.n_queries
        m = clusters.weight @ values
        weighted = (values - m) * clusters.weight[:, None]
        c = sums(weighted, clusters.query, n)
        return m + n * c


@dataclass(frozen=True)
class Side:
    """One of two systems that are compared, and the groups of the rows that both answered."""

    system: str
    groups: tuple[int, ...]


Pair = tuple[Side, Side]


def _pairs(answers: Answers) -> list[Pair]:
    """Return all pairs of systems that answered a query in common."""
    pairs = []
    for first_system, second_system in combinations(answers.answered, 2):
        groups = answers.in_common(first_system, second_system)
        if groups:
            first = Side(first_system, groups)
            second = Side(second_system, groups)
            pairs.append((first, second))
    return pairs


def _contributions_of_sides(pairs: Sequence[Pair], answers: Answers) -> dict[Side, np.ndarray]:
    """Return what the queries of each side add to its mean, once where sides are equal."""
    sides = dict.fromkeys(chain.from_iterable(pairs))
    return {side: answers.contributions(side.system, side.groups) for side in sides}


def _tests(values: pd.DataFrame, metrics: list[str], seed: int) -> Iterator[Outcome]:
    """Test all pairs of systems that answered a query in common."""
    answers = Answers.of(values, metrics)
    pairs = _pairs(answers)
    if not pairs:
        return
    contributions = _contributions_of_sides(pairs, answers)
    p_of_pairs = _randomisation_tests(pairs, contributions, answers, seed)
    units = {system: answers.units(system) for system in answers.answered}
    for (first, second), p in zip(pairs, p_of_pairs, strict=True):
        is_asked = answers.is_asked(first.groups)
        differences = contributions[first][is_asked] - contributions[second][is_asked]
        sums_of_differences = differences.sum(axis=0)
        p_paired = paired_t(differences)
        p_unpaired = unpaired_t(units[first.system], units[second.system])
        for number, metric in enumerate(metrics):
            yield Outcome(
                system=first.system,
                other=second.system,
                metric=metric,
                difference=sums_of_differences[number],
                p=p[number],
                p_paired=p_paired[number],
                p_unpaired=p_unpaired[number],
                n=len(differences),
            )


def _randomisation_tests(
    pairs: Sequence[Pair],
    contributions: Mapping[Side, np.ndarray],
    answers: Answers,
    seed: int,
) -> np.ndarray:
    """Return the p values of the randomisation tests, pairs x metrics."""
    groups = chain.from_iterable(first.groups for first, _ in pairs)
    is_compared = answers.is_asked(tuple(groups))
    stacked = np.hstack(list(contributions.values()))  # queries x (sides x metrics)
    n_columns = stacked.shape[1]
    columns = np.arange(n_columns).reshape(len(contributions), -1)
    columns_of = dict(zip(contributions, columns, strict=True))
    first_columns = [columns_of[first] for first, _ in pairs]
    second_columns = [columns_of[second] for _, second in pairs]
    p = p_values(
        stacked[is_compared],
        np.concatenate(first_columns),
        np.concatenate(second_columns),
        seed,
    )
    return p.reshape(len(pairs), -1)


def p_values(
    contributions: np.ndarray, first_columns: np.ndarray, second_columns: np.ndarray, seed: int
) -> np.ndarray:
    """Test whether sums of differences between columns of contributions are zero, two-sided.

    Each comparison is of a first column with a second; its units are the rows. If few of them
    differ, all flips are enumerated. Otherwise flips are drawn, and the observed signs count as one
    more, so p is never 0 (Phipson and Smyth 2010). Nearly all of the time goes into the sums of
    flips, so they are taken once a column, not once a comparison.
    """
    is_differing = contributions[:, first_columns] != contributions[:, second_columns]
    n_differing = is_differing.sum(axis=0)
    p = np.ones(len(first_columns))
    has_few = n_differing <= MOST_ENUMERATED
    for comparison in np.flatnonzero(has_few):
        first_column = first_columns[comparison]
        second_column = second_columns[comparison]
        differences = contributions[:, first_column] - contributions[:, second_column]
        is_difference = differences != 0
        p[comparison] = _p_of_all_flips(differences[is_difference])
    drawn = np.flatnonzero(~has_few)
    if len(drawn):
        first_drawn = first_columns[drawn]
        second_drawn = second_columns[drawn]
        generator = np.random.default_rng(seed)
        p[drawn] = _p_of_random_flips(contributions, first_drawn, second_drawn, generator)
    return p


def _p_of_all_flips(differences: np.ndarray) -> float:
    """Return the share of all flips of signs whose sum is at least as large as the observed one."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    is_as_large = np.abs(sums) >= _threshold(differences)
    return is_as_large.mean()


def _p_of_random_flips(
    contributions: np.ndarray,
    first_columns: np.ndarray,
    second_columns: np.ndarray,
    generator: np.random.Generator,
) -> np.ndarray:
    """Return the share of random flips whose sum is at least as large, the observed one counted.

    A flip takes twice the sum of what it flips, s, from the observed total t: t - 2 s.
    """
    differences = contributions[:, first_columns] - contributions[:, second_columns]
    thresholds = _threshold(differences)
    threshold = thresholds[:, None]
    totals = differences.sum(axis=0)
    t = totals[:, None]
    n_units = len(contributions)
    n_comparisons = len(first_columns)
    n_parts = 1 + 8 * n_comparisons // n_units  # a part's sums fit in the cache too
    parts = np.array_split(np.arange(n_comparisons), n_parts)
    n_as_large = np.zeros(n_comparisons)
    for is_flipped in _random_flips(n_units, generator):
        flipped = contributions.T @ is_flipped.astype(np.float64).T  # columns x flips
        for part in parts:
            first = flipped[first_columns[part]]
            second = flipped[second_columns[part]]
            s = first - second
            is_as_large = np.abs(t[part] - 2 * s) >= threshold[part]
            n_as_large[part] += is_as_large.sum(axis=1)
    return (1 + n_as_large) / (1 + N_FLIPS)


def _random_flips(n_units: int, generator: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield `N_FLIPS` rows of random bits, flips x units, some at a time."""
    n_at_once = max(1, SIGNS_AT_ONCE // n_units)
    for start in range(0, N_FLIPS, n_at_once):
        n_flips = min(n_at_once, N_FLIPS - start)
        n_bits = n_flips * n_units
        n_bytes = math.ceil(n_bits / 8)
        random_bytes = generator.bytes(n_bytes)
        numbers = np.frombuffer(random_bytes, np.uint8)
        bits = np.unpackbits(numbers, count=n_bits)
        yield bits.reshape(n_flips, n_units)


def _threshold(differences: np.ndarray) -> np.ndarray:
    """Return the sum from which a flip counts as at least the observed one."""
    total = differences.sum(axis=0)
    total_size = np.abs(differences).sum(axis=0)
    return np.abs(total) - ROUNDING * total_size


def holm(p: pd.Series) -> pd.Series:
    """Correct p values of one family of tests (Holm 1979)."""
    ordered = p.sort_values(kind="stable")
    n_remaining = np.arange(len(p), 0, -1)
    never_falling = (ordered * n_remaining).cummax()
    return never_falling.clip(upper=1)


def paired_t(differences: np.ndarray) -> np.ndarray:
    """Student's paired t-test of units x comparisons, two-sided."""
    n = len(differences)
    variance = differences.var(axis=0)
    return _p_of_t(
        mean=differences.mean(axis=0),
        squares=n * variance,
        freedom=n - 1,
        inverse_size=1 / n,
    )


def unpaired_t(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Student's t-test of two sets of units x comparisons, two-sided, variances being equal."""
    n_first = len(first)
    n_second = len(second)
    squares_of_first = n_first * first.var(axis=0)
    squares_of_second = n_second * second.var(axis=0)
    return _p_of_t(
        mean=first.mean(axis=0) - second.mean(axis=0),
        squares=squares_of_first + squares_of_second,
        freedom=n_first + n_second - 2,
        inverse_size=1 / n_first + 1 / n_second,
    )


@np.errstate(all="ignore")
def _p_of_t(mean: np.ndarray, squares: np.ndarray, freedom: int, inverse_size: float) -> np.ndarray:
    """Return the two-sided p of a mean by its t; squares are sums of squared deviations.

        t = mean / sqrt(squares / freedom * inverse_size)

    1 if a variance is unknown, or there is neither a difference nor a variance.
    """
    variance = squares / freedom
    standard_error = np.sqrt(variance * inverse_size)
    t = mean / standard_error
    p_of_one_side = special.stdtr(freedom, -np.abs(t))
    p = 2 * p_of_one_side
    is_unknown = np.isnan(p)
    return np.where(is_unknown, 1.0, p)
