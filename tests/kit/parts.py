"""Metrics, sources and tasks by themselves.

What it gives are arrays and lists; tests know nothing of how they came about.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.parts import Source
from cr5.base.rows import parts_of
from cr5.scores import metrics
from cr5.scores.ranks import Ranked
from cr5.texts.reading import Reading, Record

METRICS = metrics.METRICS  # by name; one may be replaced


def answered(
    answers: Sequence[tuple[int, float, float]] | np.ndarray,
    n_relevant: Sequence[int],
    n_candidates: int | Sequence[int] = 20,
    depth: int | None = None,
) -> Ranked:
    """What metrics are computed from: number of the query, rank, grade."""
    found = pd.DataFrame(np.reshape(answers, (-1, 3)), columns=["query", "rank", "grade"])
    about = {"query": range(len(n_relevant)), "n_relevant": n_relevant}
    about |= {"n_candidates": n_candidates, "depth": pd.array([depth] * len(n_relevant), "Int64")}
    return Ranked.of(found, pd.DataFrame(about))


def metric(found: Ranked, name: str) -> np.ndarray:
    """A metric of each query."""
    return metrics.values(found, name)


def dense(rows) -> list[np.ndarray]:
    """The parts of rows."""
    return [x.toarray() if sparse.issparse(x) else np.asarray(x) for x in parts_of(rows)]


def records(kind: type[Source], path: Path, language: str, **options: Any) -> Iterator[Record]:
    """The documents of one language of a source with a file or folder."""
    source = kind(path=str(path), **options)
    return source.records(Reading(source, Path(path), language, (language,)))
