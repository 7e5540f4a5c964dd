"""A transformer for pipelines of scikit-learn, which only this module imports."""

from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import HybridRows, Rows, stacked
from cr5.from_texts.fit import fit
from cr5.from_texts.forms import rows_of

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ModuleNotFoundError as error:
    raise UserError(
        "an estimator for scikit-learn needs scikit-learn, which is not installed: "
        "pip install scikit-learn"
    ) from error


class CrosslingualEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Embed texts of several languages in one space.

    X are texts with their languages: rows (language, text) or (language, concept, text), rows with
    these keys, or a frame with these columns. Texts of a concept are about the same thing; without
    concepts, those of one position among the texts of their languages.

    Attributes:
        model_: the fitted model, as `cr5.fit` returns it.
    """

    def __init__(self, system: str = "cr5", options: dict[str, Any] | None = None) -> None:
        """Set the parameters; see `cr5.fit` for the options."""
        self.system = system
        self.options = options

    def fit(self, X: Any, y: Any = None) -> "CrosslingualEmbedding":
        """Fit the system.

        Args:
            X: see the class.
            y: ignored.

        Raises:
            UserError: as of `cr5.fit`.
        """
        self.model_ = fit(X, self.system, **(self.options or {}))
        return self

    def transform(self, X: Any) -> np.ndarray | sparse.csr_matrix:
        """Embed n texts; concepts in X do not matter.

        Returns:
            n x r, float32; a text without known words is a row of zeros. Sparse for systems
            whose vectors are.

        Raises:
            UserError: a language that the model does not know, or a text is missing.
        """
        check_is_fitted(self)
        texts: dict[str, list[str]] = {}
        places: dict[str, list[int]] = {}
        for number, (language, _, text) in enumerate(rows_of(X), start=1):
            if not isinstance(text, str):
                raise UserError(f"X, row {number}: expected a text, found {text!r:.40}")
            texts.setdefault(language, []).append(text)
            places.setdefault(language, []).append(number)
        rows = stacked([self._embedded(x, each) for x, each in texts.items()])
        order = np.argsort(np.concatenate(list(places.values())))
        rows = rows[order]
        if isinstance(rows, HybridRows):
            return sparse.hstack([sparse.csr_matrix(rows.dense), rows.sparse], format="csr")
        return rows

    def _embedded(self, language: str, texts: list[str]) -> Rows:
        return self.model_.embed_counts(self.model_.count(texts, language).counts, language)

    @property
    def _n_features_out(self) -> int:
        language = self.model_.languages[0]
        return self._embedded(language, [""]).shape[1]

    def __sklearn_tags__(self):
        """Tell scikit-learn that X are texts, not numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags
