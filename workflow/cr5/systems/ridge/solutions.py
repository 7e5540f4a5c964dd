"""Solutions of the regression, for each ridge of a grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from cr5.base.errors import UserError
from cr5.contracts.training import TrainingSet
from cr5.fitting.choose import Selection
from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.dense_solver import Dense, is_small
from cr5.systems.ridge.iterative_solver import Iterative
from cr5.systems.ridge.problem import Problem, Solution

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Bounds for ridges beyond those given.
LOWEST_RIDGE = 1e-4
HIGHEST_RIDGE = 1e3


def grid_of_ridges(selection: Selection, ridges: Sequence[float]) -> Iterator[float]:
    """Yield the ridges of a system, then some beyond the edge while the best is there.

    The largest comes first: its fit is better conditioned and so the cheaper start, and ties go to
    the larger ridge.
    """
    descending = sorted(set(ridges), reverse=True)
    return selection.grid("ridge", descending, LOWEST_RIDGE, HIGHEST_RIDGE)


def solutions(
    training: TrainingSet,
    rank: int,
    ridges: Iterable[float],
    F: Sequence[csr_matrix] = (),
    left: float | None = None,
) -> Iterator[Solution]:
    """Solve for each ridge, with the factors of a prior or without; `left` as of `Iterative`."""
    X = [training.features[language] for language in training.languages]
    for language, features in zip(training.languages, X, strict=True):
        _check_not_empty(language, features)
    concepts = [training.concepts[language] for language in training.languages]
    is_dense = training.encoder is not None or bool(training.near_words)
    problem = Problem(X, concepts, training.n_concepts, F, is_dense)
    threads = Threads(training.threads)
    if is_small(problem):
        solver = Dense(problem, rank, threads)
    else:
        solver = Iterative(problem, rank, threads, training.seed, left)
    yield from map(solver.solve, ridges)


def _check_not_empty(language: str, features: csr_matrix) -> None:
    n_documents, n_words = features.shape
    if not (n_documents and n_words):
        raise UserError(
            f"Cr5, language {language}: {n_documents} training documents with a vocabulary of "
            f"{n_words} words, expected at least one of each; loosen the filters "
            "(bags.unique_words, bags.min_documents), bring more documents, or leave the language "
            "out"
        )
