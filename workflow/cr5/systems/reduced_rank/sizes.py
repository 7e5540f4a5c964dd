"""How much memory a fit takes, estimated before it starts."""

import numpy as np

from cr5.systems.reduced_rank.problem import Problem

# The basis of the iterative solver is as wide as is worthwhile (measured), or as fits into this.
BASIS_BYTES = 5.2 * 2**30
BLOCK = 96
FINISH = 40  # pairs that are finished at a time, when P and Phi' also take memory
STEPS = 7  # block steps between two restarts, unless the basis would be too large
SMALL = 256  # columns that any basis may have


def block_size(rank: int) -> int:
    """Ritz vectors that a step of the iterative solver works on."""
    return min(rank, BLOCK)


def kept(rank: int) -> int:
    """Ritz vectors that a restart of the iterative solver keeps."""
    return rank + block_size(rank) // 4


def basis_size(problem: Problem, rank: int, dtype: type) -> int:
    """Columns of the basis: a function of the problem alone, so that results are too."""
    n, p, block = problem.n_documents, problem.n_unknowns, block_size(rank)
    affordable = int(BASIS_BYTES // (np.dtype(dtype).itemsize * (n + p)))
    steps = min(STEPS, (affordable - kept(rank)) // block)
    useful = min(affordable, SMALL, p + block)
    return max(kept(rank) + max(steps, 1) * block, useful)


def iterative_bytes(problem: Problem, rank: int, dtype: type, copies: int = 0) -> int:
    """Estimated bytes of the iterative solver besides the features that it is given.

    Args:
        problem: features and labels.
        rank: number of eigenpairs.
        dtype: of the computation.
        copies: number of copies of the features that the device keeps.
    """
    item = np.dtype(dtype).itemsize
    n, p, K = problem.n_documents, problem.n_unknowns, problem.n_concepts
    nonzeros = sum(X.nnz for X in problem.features + problem.prior)
    copied = item * nonzeros if problem.features[0].dtype != dtype else 0
    copied += copies * (item + 4) * nonzeros
    basis = item * (n + p) * basis_size(problem, rank, dtype)
    step = item * block_size(rank) * (3 * n + 3 * p + K)
    finish = item * (rank * (p + K) + FINISH * (3 * n + 10 * p + 3 * K))
    solution = item * rank * (2 * p + K)
    return copied + basis + max(step, finish, solution)


def dense_bytes(problem: Problem) -> int:
    """Estimated bytes of the dense solver besides the features."""
    kernels = sum(n * n for n in kernel_sizes(problem))
    return 8 * (2 * kernels + 4 * problem.n_concepts**2)


def kernel_sizes(problem: Problem) -> list[int]:
    """Numbers of documents of the dense solver's kernels: one per language; with a prior, one."""
    documents = [X.shape[0] for X in problem.features]
    return [sum(documents)] if problem.prior else documents
