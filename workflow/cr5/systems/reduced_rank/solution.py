"""From eigenvectors to the embedding: Eq. 15, signs, and the report of a fit."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.systems.algebra.orthonormal import fix_signs, orthonormal, signs
from cr5.systems.algebra.threads import Threads
from cr5.systems.reduced_rank.problem import Problem

# Eigenvalues of M below this share of their bound are rounding errors.
ZERO = 1e-10
# Squared singular values of Phi' below this share of the largest need double precision.
DEPENDENT = 1e-4


@dataclass(frozen=True, kw_only=True)
class Spectrum:
    """What is known of the r leading eigenpairs of M at one ridge.

    Attributes:
        ridge: lambda.
        values: mu, descending, shape (r,). r is smaller than the rank asked for if M has fewer
            eigenvalues that are not numerically zero.
        residuals: ||M p - mu p|| of each pair, shape (r,).
        converged: False if an iteration stopped before its tolerance was met.
        solver: "dense" or "iterative".
        iterations: block steps of the eigensolver; 0 for the dense solver.
    """

    ridge: float
    values: np.ndarray
    residuals: np.ndarray
    converged: bool
    solver: str
    iterations: int


@dataclass(frozen=True, kw_only=True)
class Eigenpairs(Spectrum):
    """The eigenpairs, and the regression that goes with them.

    Attributes:
        vectors: P, concepts x r, orthonormal columns.
        coefficients: Phi' = B^-1 Xhat'Yhat P, unknowns x r (Eq. 14), words without a prior.
    """

    vectors: np.ndarray
    coefficients: np.ndarray

    def leading(self, rank: int) -> "Eigenpairs":
        """The first ones: the eigenpairs of a fit of lower rank."""
        if rank == len(self.values):
            return self
        return replace(
            self,
            values=self.values[:rank],
            vectors=self.vectors[:, :rank],
            coefficients=np.ascontiguousarray(self.coefficients[:, :rank]),
            residuals=self.residuals[:rank],
        )


@dataclass(frozen=True, kw_only=True)
class Solution(Spectrum):
    """A fit at one ridge.

    Attributes:
        maps: per language words x r, float32 or float64: its rows of T. Stacked, the columns are
            orthonormal; the entry of largest magnitude in each column is positive. Or, on request,
            its rows of Phi' diag(mu)^a, largest mu first: the first columns are the maps of
            smaller r.
        estimated_bytes: of memory besides the features, as estimated before the fit.
    """

    maps: list[np.ndarray]
    estimated_bytes: int

    @property
    def rank(self) -> int:
        """The effective rank r."""
        return len(self.values)

    @property
    def facts(self) -> dict[str, Any]:
        """Facts for the report of any fit, JSON-able."""
        return {
            "rank": self.rank,
            "eigenvalues": self.values.tolist(),
            # ||M p - mu p|| / mu, the largest of all pairs.
            "residual_max": float((self.residuals / self.values).max()),
            "converged": self.converged,
            "solver": self.solver,
            "iterations": self.iterations,
            "memory_estimate_mib": round(self.estimated_bytes / 2**20),
        }


def count_nonzero(
    values: np.ndarray, problem: Problem, ridge: float, accuracy: float = ZERO
) -> int:
    """Number of leading eigenvalues (descending) that are not numerically zero.

    Args:
        values: mu, descending.
        problem: bounds mu by its largest number of documents of one concept.
        ridge: for the message.
        accuracy: of the values, relative to their bound.

    Raises:
        UserError: all are numerically zero.
    """
    count = int(np.sum(values > accuracy * problem.counts.max()))
    if count == 0:
        raise UserError(
            f"Cr5, ridge {ridge:g}: no word tells one concept from another, so there is nothing "
            "to learn; expected two or more concepts with different words and a ridge that is "
            "not huge: check the training documents and the ridge"
        )
    return count


def make_solution(
    pairs: Eigenpairs,
    problem: Problem,
    estimated_bytes: int = 0,
    ridge: float | None = None,
    scaling: float | None = None,
) -> Solution:
    """The embedding of the eigenpairs, in the type of the coefficients, which may be overwritten.

    Args:
        pairs: of the problem.
        problem: its prior turns the coefficients into word vectors.
        estimated_bytes: of memory, to report.
        ridge: lambda to report, if that of the pairs is scaled.
        scaling: the power a of mu that scales the columns; None for Eq. 15.
    """
    W = problem.word_vectors(pairs.coefficients)
    if scaling is None:
        maps = _maps(W, problem)
    else:
        W *= (pairs.values**scaling).astype(W.dtype)
        maps = np.split(W, problem.offsets)
    told = {x.name: getattr(pairs, x.name) for x in fields(Spectrum)}
    if ridge is not None:
        told["ridge"] = ridge
    return Solution(**told, maps=maps, estimated_bytes=estimated_bytes)


def _maps(Phi: np.ndarray, problem: Problem) -> list[np.ndarray]:
    """T of Eq. 15, whose columns are the left singular vectors of Phi' (given as Phi).

    In float64 they are computed from Phi' itself: by way of Phi Phi', as in Eq. 15, half of the
    digits are lost. Float32 has fewer than that half, and a large Phi' is not copied unless its
    columns are nearly dependent.
    """
    if Phi.dtype == np.float64:
        T = fix_signs(orthonormal(Phi))
        return [np.ascontiguousarray(block) for block in np.split(T, problem.offsets)]
    with Threads() as threads:
        G = threads.inner(Phi, Phi)
        values, Q = np.linalg.eigh((G + G.T) / 2)
        if values[0] < DEPENDENT * values[-1]:
            blocks = _maps(Phi.astype(np.float64), problem)
            return [block.astype(np.float32) for block in blocks]
        threads.compress(Phi, (Q / np.sqrt(values))[:, ::-1])
    Phi *= signs(Phi)
    return np.split(Phi, problem.offsets)
