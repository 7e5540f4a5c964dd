"""The data of a fit, checked: features X_l, labels Y_l and the prior d_l, S_l of every language."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError

CHUNK = 2**22  # entries of a sparse matrix that are summed at a time
DOCUMENTS = 1024  # whose X_l S_l are formed at a time


@dataclass(frozen=True)
class Problem:
    """Features and labels, language by language, and a prior that words of all languages share.

    With a prior there are p + s unknowns: one per word, stacked over languages, and one per shared
    feature; their matrix is Z = [blockdiag(X_l diag(d_l)), stack(X_l S_l)].

    Attributes:
        features: X_l, documents x words, all of one floating-point type.
        labels: Y_l, documents x concepts, a one in each row; of the same type.
        prior: S_l, words x shared features, likewise; empty without a prior.
        own: d_l, (words,), likewise; empty for ones.
    """

    features: tuple[sparse.csr_matrix, ...]
    labels: tuple[sparse.csr_matrix, ...]
    prior: tuple[sparse.csr_matrix, ...] = ()
    own: tuple[np.ndarray, ...] = ()

    @property
    def n_documents(self) -> int:
        """Number of rows n over all languages."""
        return sum(X.shape[0] for X in self.features)

    @property
    def n_concepts(self) -> int:
        """Number of concepts K."""
        return self.labels[0].shape[1]

    @property
    def counts(self) -> np.ndarray:
        """Documents of each concept, Y'1, shape (K,), float64."""
        return sum(_column_sums(Y) for Y in self.labels)

    @property
    def n_words(self) -> int:
        """Number of words p over all languages."""
        return sum(X.shape[1] for X in self.features)

    @property
    def n_unknowns(self) -> int:
        """Words and shared features, p + s."""
        return self.n_words + (self.prior[0].shape[1] if self.prior else 0)

    @property
    def language_sums(self) -> np.ndarray:
        """Z'1 over the documents of each language, (p + s) x languages, float64."""
        sums = np.zeros((self.n_unknowns, len(self.features)))
        for language, (X, words) in enumerate(zip(self.features, self.words, strict=True)):
            of_words = _column_sums(X)
            sums[words, language] = of_words
            if self.prior:
                sums[self.n_words :, language] = self.prior[language].T @ of_words
        return self.scaled(sums)

    @property
    def squares(self) -> np.ndarray:
        """The diagonal of Z'Z, (p + s,), float64; X_l S_l is formed for few documents at a time."""
        of_words = [_column_sums(X, power=2) for X in self.features]
        if self.own:
            of_words = [sums * d**2 for sums, d in zip(of_words, self.own, strict=True)]
        shared = np.zeros(self.n_unknowns - self.n_words)
        for X, S in zip(self.features, self.prior, strict=bool(self.prior)):
            for start in range(0, X.shape[0], DOCUMENTS):
                shared += _column_sums(X[start : start + DOCUMENTS] @ S, power=2)
        return np.concatenate([*of_words, shared])

    @property
    def words(self) -> list[slice]:
        """Slices of the words of each language among the p + s unknowns."""
        ends = np.cumsum([X.shape[1] for X in self.features]).tolist()
        return [slice(b - X.shape[1], b) for X, b in zip(self.features, ends, strict=True)]

    @property
    def offsets(self) -> list[int]:
        """Where the second and later languages start among them."""
        return [words.start for words in self.words[1:]]

    def scaled(self, V: np.ndarray) -> np.ndarray:
        """V with the rows of words times d, (p + s) x r; computed in place."""
        for words, d in zip(self.words, self.own, strict=bool(self.own)):
            V[words] *= d[:, None]
        return V

    def adjoint(self, U: np.ndarray) -> np.ndarray:
        """Z'U, (p + s) x r, for U documents x r."""
        ends = np.cumsum([X.shape[0] for X in self.features])[:-1]
        parts = [X.T @ u for X, u in zip(self.features, np.split(U, ends), strict=True)]
        if self.prior:
            parts.append(sum(S.T @ v for S, v in zip(self.prior, parts, strict=True)))
        return self.scaled(np.vstack(parts))

    def word_vectors(self, V: np.ndarray) -> np.ndarray:
        """d_l V_l + S_l V_s, stacked p x r, for unknowns V (p + s) x r; computed in place."""
        V = self.scaled(V)
        for S, words in zip(self.prior, self.words, strict=bool(self.prior)):
            V[words] += S @ V[self.n_words :]
        return V[: self.n_words]

    def sample(self, concepts: np.ndarray, least: int = 0) -> tuple["Problem", np.ndarray]:
        """The problem on the documents of some concepts, and the words in enough of them.

        Args:
            concepts: their numbers.
            least: number of these documents that a word must be in.

        Returns:
            The problem, with the prior, and the numbers of its unknowns among the p + s.
        """
        features, labels, known = [], [], []
        for X, Y in zip(self.features, self.labels, strict=True):
            chosen = Y[:, concepts]
            rows = np.flatnonzero(np.diff(chosen.indptr))
            X = X[rows]
            known.append(np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]) >= least))
            features.append(X[:, known[-1]])
            labels.append(chosen[rows])
        sample = replace(
            self,
            features=tuple(features),
            labels=tuple(labels),
            prior=tuple(S[words] for S, words in zip(self.prior, known, strict=bool(self.prior))),
            own=tuple(d[words] for d, words in zip(self.own, known, strict=bool(self.own))),
        )
        shared = np.arange(self.n_words, self.n_unknowns)
        starts = [words.start for words in self.words]
        return sample, np.concatenate([*map(np.add, known, starts), shared])

    def astype(self, dtype: type) -> "Problem":
        """The problem in float32 or float64; arrays already of that type are shared."""
        return Problem(
            tuple(X.astype(dtype, copy=False) for X in self.features),
            tuple(Y.astype(dtype, copy=False) for Y in self.labels),
            tuple(S.astype(dtype, copy=False) for S in self.prior),
            tuple(d.astype(dtype, copy=False) for d in self.own),
        )


def make_problem(
    features: Sequence[sparse.csr_matrix],
    concepts: Sequence[np.ndarray],
    n_concepts: int,
    languages: Sequence[str] | None = None,
    prior: Sequence[sparse.csr_matrix] = (),
    own: Sequence[np.ndarray] = (),
) -> Problem:
    """Check the training data and convert it to the form that both solvers use.

    Args:
        features: per language documents x words.
        concepts: per language the concept number of each row.
        n_concepts: all concept numbers are below it.
        languages: their codes, for messages.
        prior: S_l, per language words x shared features; empty for no prior.
        own: d_l, per language (words,); empty for ones.

    Raises:
        UserError: the parts do not fit together, a language has no documents, or a feature
            is not finite.
    """
    if len(features) == 0 or len(features) != len(concepts):
        raise UserError(
            f"Cr5 got features of {len(features)} languages and concepts of {len(concepts)}: "
            "give both for the same languages, at least one"
        )
    names = languages or [f"{i} of {len(features)}" for i in range(1, len(features) + 1)]
    for name, X, labels in zip(names, features, concepts, strict=True):
        _check_language(f"language {name}", X, labels, n_concepts)
    check_prior(prior, features)
    single = all(X.dtype == np.float32 for X in features)
    dtype = np.float32 if single else np.float64
    return Problem(
        tuple(_canonical(sparse.csr_matrix(X, dtype=dtype)) for X in features),
        tuple(_one_hot(np.asarray(labels), n_concepts, dtype) for labels in concepts),
        tuple(_canonical(sparse.csr_matrix(S, dtype=dtype)) for S in prior),
        tuple(np.asarray(d, dtype) for d in own),
    )


def check_prior(prior: Sequence[sparse.csr_matrix], features: Sequence[sparse.csr_matrix]) -> None:
    """Raise `UserError` unless there is a matrix for each language, or none at all."""
    shapes, words = [S.shape for S in prior], [X.shape[1] for X in features]
    fits = [rows for rows, _ in shapes] == words and len({s for _, s in shapes}) == 1
    if shapes and not (fits and all(np.isfinite(S.data).all() for S in prior)):
        raise UserError(
            f"Cr5: a prior of shapes {shapes} for languages of {words} words; give one matrix a "
            "language, a row for each of its words, the same columns for all, finite numbers"
        )


def _check_language(name: str, X: sparse.csr_matrix, labels: np.ndarray, n_concepts: int) -> None:
    labels = np.asarray(labels)
    if 0 in X.shape:
        raise UserError(
            f"Cr5, {name}: {X.shape[0]} training documents with a vocabulary of {X.shape[1]} "
            "words, expected at least one of each; loosen the filters (bags.unique_words, "
            "bags.min_documents), bring more documents, or leave the language out"
        )
    if labels.shape != (X.shape[0],):
        raise UserError(
            f"Cr5, {name}: {X.shape[0]} documents but concepts of shape {labels.shape}; "
            "give one concept number per document"
        )
    if labels.dtype.kind not in "iu" or labels.min() < 0 or labels.max() >= n_concepts:
        raise UserError(
            f"Cr5, {name}: concepts must be whole numbers from 0 to {n_concepts - 1}, "
            f"got {labels.min()} to {labels.max()} ({labels.dtype}); renumber the concepts"
        )
    if not np.isfinite(X.data).all():
        raise UserError(
            f"Cr5, {name}: the features contain a value that is not finite; "
            "check the counts and weights that they were made from"
        )


def _canonical(X: sparse.csr_matrix) -> sparse.csr_matrix:
    """X, or a copy if it has to be sorted or has duplicate entries."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def _one_hot(concepts: np.ndarray, n_concepts: int, dtype: type) -> sparse.csr_matrix:
    n = len(concepts)
    return sparse.csr_matrix((np.ones(n, dtype), concepts, np.arange(n + 1)), shape=(n, n_concepts))


def _column_sums(matrix: sparse.csr_matrix, power: int = 1) -> np.ndarray:
    """Sums in float64, over few enough entries at a time that no large copy is made."""
    sums = np.zeros(matrix.shape[1])
    for start in range(0, matrix.nnz, CHUNK):
        part = slice(start, start + CHUNK)
        values = matrix.data[part].astype(np.float64) ** power
        sums += np.bincount(matrix.indices[part], values, matrix.shape[1])
    return sums
