"""Bootstrap intervals of a mean over queries and repetitions."""

from collections.abc import Sequence

import numpy as np

LEVEL = 0.95


def resamples(n_queries: int, n_resamples: int, seed: int | Sequence[int]) -> np.ndarray:
    """Return how often each query occurs in each bootstrap resample, resamples x queries.

    Systems that are tested on the same queries see the same resamples.
    """
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(n_queries, np.full(n_queries, 1 / n_queries), n_resamples)
    return drawn.astype(np.float64)


def interval(
    values: Sequence[np.ndarray], n_resamples: int, seed: int, same_queries: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Percentile bootstrap interval of the mean over repetitions of the means over queries.

    Repetitions are drawn with replacement, and queries within each repetition: what a repetition
    changes and what a query changes both count. A repetition that is drawn twice has its queries
    drawn twice; but where all repetitions test the same queries, these are drawn once for all, as
    a hard query stays hard. Of one repetition it is the interval over queries.

    Args:
        values: per repetition queries x metrics.
        n_resamples: of the bootstrap.
        seed: of the run.
        same_queries: whether the rows of all repetitions are the same queries.

    Returns:
        Lower and upper ends, each (metrics,).
    """
    means = np.stack(
        [
            resamples(len(each), n_resamples, seed if same_queries or r == 0 else [seed, r])
            @ each
            / len(each)
            for r, each in enumerate(values)
        ]
    )
    if len(values) > 1:
        means = means[*_drawn(len(values), n_resamples, seed, same_queries)]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(means.mean(axis=0), [tail, 1 - tail], axis=0)
    return low, high


def _drawn(n: int, n_resamples: int, seed: int, same_queries: bool) -> tuple[np.ndarray, ...]:
    """Which repetition, and which resample of its queries: each n x resamples."""
    repetition = np.random.default_rng([seed, n]).integers(n, size=(n, n_resamples))
    shift = np.zeros(n, int) if same_queries else np.arange(n)  # twice drawn, other queries
    return repetition, (np.arange(n_resamples) + shift[:, None]) % n_resamples
