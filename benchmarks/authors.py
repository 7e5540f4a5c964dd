"""The authors' algorithm (Josifoski et al., WSDM 2019, and their code), as `cr5.md` describes it.

Implicitly restarted Lanczos, one vector at a time, over conjugate gradients, one vector at a
time and without a preconditioner: once on M for P, once more on W'W (p x p, two linear solves a
product) for T. Written from the description, with scipy's `eigsh` and `cg`, for comparison only.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, cg, eigsh

EIGEN_TOLERANCE, EIGEN_ITERATIONS = 0.1, 250
SOLVE_TOLERANCE, SOLVE_ITERATIONS = 0.01, 500


@dataclass
class Authors:
    """The operators of Eq. 12, on single vectors; counts the steps of conjugate gradients.

    Args:
        features: per language documents x words, float64.
        concepts: per language the concept number of each row.
        n_concepts: number of concepts K.
        ridge: lambda.
        tolerance: of conjugate gradients.
    """

    features: list[sparse.csr_matrix]
    concepts: list[np.ndarray]
    n_concepts: int
    ridge: float
    tolerance: float = SOLVE_TOLERANCE
    steps: int = 0
    X: sparse.csr_matrix = field(init=False)
    Y: sparse.csr_matrix = field(init=False)

    def __post_init__(self):
        """Stack the languages."""
        self.X = sparse.block_diag(self.features, format="csr", dtype=np.float64)
        labels = np.concatenate(self.concepts)
        n = len(labels)
        self.Y = sparse.csr_matrix(
            (np.ones(n), labels, np.arange(n + 1)), shape=(n, self.n_concepts)
        )
        self.x_mean = np.asarray(self.X.mean(axis=0)).ravel()
        self.y_mean = np.asarray(self.Y.mean(axis=0)).ravel()

    def cross(self, v: np.ndarray) -> np.ndarray:
        """A v = Xhat'Yhat v."""
        v = v.ravel()
        return self.X.T @ (self.Y @ v - self.y_mean @ v)

    def cross_adjoint(self, u: np.ndarray) -> np.ndarray:
        """A'u = Yhat'Xhat u."""
        return self.Y.T @ (self.X @ u - self.x_mean @ u)

    def solve(self, u: np.ndarray) -> np.ndarray:
        """B^-1 u, B = Xhat'Xhat + lambda I."""
        n, p = self.X.shape

        def product(v: np.ndarray) -> np.ndarray:
            centring = n * self.x_mean * (self.x_mean @ v)
            return self.X.T @ (self.X @ v) - centring + self.ridge * v

        def count(_: np.ndarray) -> None:
            self.steps += 1

        B = LinearOperator((p, p), matvec=product, dtype=np.float64)
        return cg(B, u, rtol=self.tolerance, maxiter=SOLVE_ITERATIONS, callback=count)[0]


def fit(authors: Authors, rank: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """P (K x r) and T (p x r, orthonormal columns)."""
    K, p = authors.n_concepts, authors.X.shape[1]
    M = LinearOperator(
        (K, K),
        matvec=lambda v: authors.cross_adjoint(authors.solve(authors.cross(v))),
        dtype=np.float64,
    )
    P = _eigenvectors(M, rank, seed)

    def product(u: np.ndarray) -> np.ndarray:
        shares = P.T @ authors.cross_adjoint(authors.solve(u.ravel()))
        return authors.solve(authors.cross(P @ shares))

    T = _eigenvectors(LinearOperator((p, p), matvec=product, dtype=np.float64), rank, seed)
    return P, T


def _eigenvectors(operator: LinearOperator, rank: int, seed: int) -> np.ndarray:
    start = np.random.default_rng(seed).standard_normal(operator.shape[0])
    options = {"which": "LA", "tol": EIGEN_TOLERANCE, "maxiter": EIGEN_ITERATIONS, "v0": start}
    try:
        return eigsh(operator, rank, **options)[1]
    except ArpackNoConvergence as error:
        return error.eigenvectors


def eigenvalue_sum(authors: Authors, P: np.ndarray) -> float:
    """tr(P'MP) with linear systems solved to 1e-5, whatever P was found with."""
    exact = Authors(authors.features, authors.concepts, authors.n_concepts, authors.ridge, 1e-5)
    P, _ = np.linalg.qr(P)
    products = (exact.cross(column) for column in P.T)
    return float(sum(right @ exact.solve(right) for right in products))
