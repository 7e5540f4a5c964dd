"""Means over queries, repetitions and directions, and their 95 % intervals.

Repetitions and directions count as much as each other, however many queries they have. Of a share p
of n queries, Wilson's score interval (1927) is, with z = 1.96,

    (n p + z^2 / 2 +- z sqrt(n p (1 - p) + z^2 / 4)) / (n + z^2)

Metrics other than shares vary less: their variance is D = s^2 / (p (1 - p)) times the largest that
fractions of mean p can have. They are worth n / D queries of a share, the effective sample size
(Kish 1965). D rests on few queries if nearly all values are equal, so z^2 / 4 is added to n s^2 and
to n p (1 - p), as in Wilson's own sum: D is 1 for a share, and for equal values at an edge.

n is the number of distinct queries, and n s^2 is n^2 times the variance of the mean: a query asked
in five repetitions or in several directions does not count as five, and if fits differ much, D is
above 1. The set of directions is fixed, so differences between them do not count.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from scipy import sparse

Z = 1.959963984540054  # for a level of 95 %


@dataclass(frozen=True)
class Clusters:
    """Of which direction, repetition and query each value is, (n,): numbers from 0.

    The values of a direction in a repetition are a cell.
    """

    direction: np.ndarray
    repetition: np.ndarray
    query: np.ndarray  # in the order of their names

    @classmethod
    def of(cls, rows: pd.DataFrame) -> "Clusters":
        """Number the names of queries, languages and repetitions."""
        query_language, _ = pd.factorize(rows["query_language"])
        target_language, _ = pd.factorize(rows["target_language"])
        direction = numbered([query_language, target_language])
        repetition, _ = pd.factorize(rows["repetition"])
        query, _ = pd.factorize(rows["query_id"], sort=True)
        return cls(direction, repetition, query)

    def take(self, rows: np.ndarray) -> "Clusters":
        """Return those of some values, by a mask or by their places; numbered anew."""
        return Clusters(
            direction=numbered([self.direction[rows]]),
            repetition=numbered([self.repetition[rows]]),
            query=numbered([self.query[rows]]),
        )

    @cached_property
    def n_directions(self) -> int:
        """How many directions there are."""
        return _n_numbers(self.direction)

    @cached_property
    def n_repetitions(self) -> int:
        """How many repetitions there are."""
        return _n_numbers(self.repetition)

    @cached_property
    def n_queries(self) -> int:
        """How many distinct queries there are."""
        return _n_numbers(self.query)

    @cached_property
    def cell(self) -> np.ndarray:
        """The number of each value's cell, in directions x repetitions."""
        return self.direction * self.n_repetitions + self.repetition

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many values each cell has, directions x repetitions; some may have none."""
        n_cells = self.n_directions * self.n_repetitions
        sizes = np.bincount(self.cell, minlength=n_cells)
        return sizes.reshape(self.n_directions, self.n_repetitions)

    @cached_property
    def weight(self) -> np.ndarray:
        """The weight of each value in the mean over directions, repetitions and queries.

        They sum to 1:

            w = 1 / (queries of its direction and repetition
                     * repetitions of its direction * directions)
        """
        n_repetitions = np.count_nonzero(self.sizes, axis=1, keepdims=True)
        divisor = self.sizes * n_repetitions * self.n_directions
        return 1 / divisor[self.direction, self.repetition]


def numbered(columns: list[np.ndarray]) -> np.ndarray:
    """Number the different rows of columns of numbers from 0, in their order."""
    combined = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        combined = combined * _n_numbers(column) + column
    _, numbers = np.unique(combined, return_inverse=True)
    return numbers


def _n_numbers(numbers: np.ndarray) -> int:
    return 1 + int(numbers.max(initial=-1))


def sums(values: np.ndarray, group: np.ndarray, n_groups: int) -> np.ndarray:
    """Sum the rows of each group, groups x columns."""
    n_rows = len(values)
    entries = (np.ones(n_rows), (group, np.arange(n_rows)))
    members = sparse.csr_array(entries, (n_groups, n_rows))
    return members @ values


@dataclass(frozen=True)
class Figures:
    """Means of metrics and the ends of their intervals, (metrics,)."""

    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


def interval(values: np.ndarray, clusters: Clusters) -> Figures:
    """Average fractions, values x metrics, with 95 % intervals.

        D = (n^2 var + z^2 / 4) / (n p (1 - p) + z^2 / 4)
        m = n / D
        (m p + z^2 / 2 +- z sqrt(m p (1 - p) + z^2 / 4)) / (m + z^2)

    p is the mean, var its variance, and m the effective sample size.
    """
    mean = clusters.weight @ values
    p = np.clip(mean, 0, 1)
    n = clusters.n_queries
    added = Z**2 / 4
    variance_of_mean = _variance(values, clusters)
    variance = n**2 * variance_of_mean + added
    largest_variance = n * p * (1 - p) + added
    D = variance / largest_variance
    m = n / D
    centre = m * p + 2 * added
    root = np.sqrt(m * p * (1 - p) + added)
    half_width = Z * root
    divisor = m + 4 * added
    low = (centre - half_width) / divisor
    high = (centre + half_width) / divisor
    return Figures(
        mean=p,
        low=np.clip(low, 0, p),
        high=np.clip(high, p, 1),
    )


def _variance(values: np.ndarray, clusters: Clusters) -> np.ndarray:
    """Return the variance of the mean under other queries and other repetitions, (metrics,).

    As for two-way clusters (Cameron, Gelbach and Miller 2011): a query's contributions to the mean
    are summed over its directions and repetitions, then squared. Differences between repetitions
    count as far as they exceed what their queries explain.
    """
    cell_means = _cell_means(values, clusters)
    deviations = values - cell_means[clusters.direction, clusters.repetition]
    contributions = deviations * clusters.weight[:, None]
    by_query = sums(contributions, clusters.query, clusters.n_queries)
    between_queries = _squares(by_query)
    n_repetitions = clusters.n_repetitions
    if n_repetitions == 1:
        return between_queries
    freedom = n_repetitions - 1
    repetition_means = _repetition_means(cell_means, clusters)
    squares_of_repetitions = _squares(repetition_means)
    between_repetitions = squares_of_repetitions / freedom / n_repetitions
    query_in_repetition = clusters.query * n_repetitions + clusters.repetition
    n_groups = clusters.n_queries * n_repetitions
    by_query_and_repetition = sums(contributions, query_in_repetition, n_groups)
    within = _squares(by_query_and_repetition)
    explained = (n_repetitions * within - between_queries) / freedom
    not_explained = np.maximum(between_repetitions - explained, 0)
    return between_queries + not_explained


def mean_of_directions(values: np.ndarray, clusters: Clusters) -> np.ndarray:
    """Average values x columns over queries, then repetitions, then directions: exactly if equal.

    It is the mean by `Clusters.weight`, whose weights add up to 1 but for rounding.
    """
    cell_means = _cell_means(values, clusters)
    return _direction_means(cell_means, clusters).mean(axis=0)


def _cell_means(values: np.ndarray, clusters: Clusters) -> np.ndarray:
    """Return the mean of each cell, directions x repetitions x metrics; 0 where it has no value."""
    n_cells = clusters.sizes.size
    sums_of_cells = sums(values, clusters.cell, n_cells)
    shape = (clusters.n_directions, clusters.n_repetitions, -1)
    cell_sums = sums_of_cells.reshape(shape)
    divisors = np.maximum(clusters.sizes, 1)
    return cell_sums / divisors[:, :, None]


def _direction_means(cell_means: np.ndarray, clusters: Clusters) -> np.ndarray:
    """Return the mean of each direction over its repetitions, directions x metrics."""
    n_repetitions = np.count_nonzero(clusters.sizes, axis=1)
    return cell_means.sum(axis=1) / n_repetitions[:, None]


def _repetition_means(cell_means: np.ndarray, clusters: Clusters) -> np.ndarray:
    """Return by how much each repetition is above the means of the directions that it has."""
    direction_means = _direction_means(cell_means, clusters)
    has_values = clusters.sizes > 0
    above = cell_means - direction_means[:, None]
    above[~has_values] = 0
    n_directions = has_values.sum(axis=0)
    return above.sum(axis=0) / n_directions[:, None]


def _squares(rows: np.ndarray) -> np.ndarray:
    squares = rows**2
    return squares.sum(axis=0)
