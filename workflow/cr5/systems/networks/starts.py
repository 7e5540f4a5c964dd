"""Networks that start from the solution of a projection."""

from typing import Any

import numpy as np
from scipy import sparse

from cr5.systems.networks.composition import SPREAD
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import alone
from cr5.systems.projections.pencils import Pencil
from cr5.systems.projections.solve import SolveSettings


def projected(pencil: Pencil, dimension: int, threads: int) -> tuple[np.ndarray, dict[str, Any]]:
    """Solve a pencil, and scale its solution to the spread of a random start.

    Args:
        pencil: of the texts.
        dimension: at most; fewer if the texts have no more.
        threads: their number changes no byte.

    Returns:
        Columns x r, float32; and facts about the solution, with `warnings`.

    Raises:
        LeftOutError: the texts have nothing in common.
    """
    solution = linear.solved(pencil, dimension, SolveSettings(threads=threads))
    warnings = linear.unconverged(solution, "the start is inexact; a lower dimension may help")
    V = solution.vectors
    return (SPREAD / V.std() * V).astype(np.float32), solution.facts | {"warnings": warnings}


def autoencoder(
    X: sparse.csr_matrix, dimension: int, threads: int
) -> tuple[np.ndarray, dict[str, Any]]:
    """The encoder of a linear autoencoder of texts, with the least squared error.

    Latent semantic analysis has it in closed form (Baldi and Hornik 1989); see `projected`.

    Args:
        X: texts x words.
        dimension: of the code.
        threads: their number changes no byte.
    """
    texts = alone(X.astype(np.float64))
    return projected(pencils.lsi(texts), dimension, threads)
