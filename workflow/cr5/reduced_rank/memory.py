"""How much memory a fit takes, written down before it starts, and how much there is."""

import os
from itertools import product
from pathlib import Path

import numpy as np

from cr5.errors import UserError
from cr5.reduced_rank.problem import Problem

# The basis of the iterative solver is as wide as pays (measured), or as fits into this.
BASIS_BYTES = 5.2 * 2**30
BLOCK = 96
FINISH = 40  # pairs that are finished at a time: P and Phi' are there too by then
STEPS = 7  # block steps between two restarts, unless the basis would be too large
SMALL = 256  # columns that any basis may have

CGROUPS, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")
# Version 2, then 1: the limit, what is used, and in memory.stat what of that can be taken back.
NAMES = (
    ("memory.max", "memory.current", "inactive_file"),
    ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
)


def block_size(rank: int) -> int:
    """Ritz vectors that a step of the iterative solver works on."""
    return min(rank, BLOCK)


def kept(rank: int) -> int:
    """Ritz vectors that a restart of the iterative solver keeps."""
    return rank + block_size(rank) // 4


def basis_size(problem: Problem, rank: int, dtype: type) -> int:
    """Columns of the basis: a function of the problem alone, so that results are too."""
    n, p, block = problem.n_documents, _n_words(problem), block_size(rank)
    affordable = int(BASIS_BYTES // (np.dtype(dtype).itemsize * (n + p)))
    steps = min(STEPS, (affordable - kept(rank)) // block)
    useful = min(affordable, SMALL, p + block)
    return max(kept(rank) + max(steps, 1) * block, useful)


def iterative_bytes(problem: Problem, rank: int, dtype: type, copies: int = 0) -> int:
    """Estimated bytes that the iterative solver takes beside the features that it is given.

    Args:
        problem: features and labels.
        rank: number of eigenpairs.
        dtype: that is computed in.
        copies: of the features that the device keeps of its own.
    """
    item = np.dtype(dtype).itemsize
    n, p, K = problem.n_documents, _n_words(problem), problem.n_concepts
    nonzeros = sum(X.nnz for X in problem.features)
    copied = item * nonzeros if problem.features[0].dtype != dtype else 0
    copied += copies * (item + 4) * nonzeros
    basis = item * (n + p) * basis_size(problem, rank, dtype)
    step = item * block_size(rank) * (3 * n + 3 * p + K)
    finish = item * (rank * (p + K) + FINISH * (3 * n + 10 * p + 3 * K))
    solution = item * rank * (2 * p + K)
    return copied + basis + max(step, finish, solution)


def dense_bytes(problem: Problem) -> int:
    """Estimated bytes that the dense solver takes beside the features."""
    documents = [X.shape[0] for X in problem.features]
    return 8 * (2 * sum(n * n for n in documents) + 4 * problem.n_concepts**2)


def available_bytes() -> int | None:
    """Memory that this process can still get, None if the system does not tell."""
    found = [_of_machine(), *(_of_cgroup(*each) for each in product(_cgroups(), NAMES))]
    return min((each for each in found if each is not None), default=None)


def check(needed: int, available: int | None, what: str) -> None:
    """Refuse a fit that cannot fit: better than being killed by the system half-way.

    Args:
        needed: bytes.
        available: bytes, None if nobody knows.
        what: the fit, for the message.

    Raises:
        UserError: it takes more memory than there is.
    """
    if available is not None and needed > available:
        raise UserError(
            f"Cr5, {what}: about {needed / 2**30:.1f} GiB of memory are needed beside the features "
            f"and {available / 2**30:.1f} GiB are free; use a larger machine, or a smaller "
            "vocabulary, a smaller rank or fewer documents"
        )


def _n_words(problem: Problem) -> int:
    return sum(X.shape[1] for X in problem.features)


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        fields = dict(line.split(":") for line in lines)
        return int(fields["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        return _from_sysconf()


def _from_sysconf() -> int | None:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _cgroups() -> list[Path]:
    """Folders of this process's control groups and of all that these are in."""
    try:
        lines = [line.split(":", 2) for line in OWN.read_text().splitlines()]
    except OSError:
        lines = []
    found = [CGROUPS, CGROUPS / "memory"]
    for _, controllers, path in lines:
        if controllers in ("", "memory"):
            folder = CGROUPS / controllers / path.lstrip("/")
            found += [each for each in (folder, *folder.parents) if each.is_relative_to(CGROUPS)]
    return found


def _of_cgroup(folder: Path, names: tuple[str, str, str]) -> int | None:
    limit, used, reclaimable = names
    try:
        free = int((folder / limit).read_text()) - int((folder / used).read_text())
        fields = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return free + int(fields[reclaimable])
    except (OSError, ValueError, KeyError):  # no such cgroup, or "max": no limit
        return None
