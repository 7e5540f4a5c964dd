"""What `cr5.load` and `cr5.fit` return: a fitted model that embeds texts and compares them."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.base.rows import HybridRows, Rows, normalised, norms, parts_of
from cr5.models import export, store
from cr5.models.bank import neighbours
from cr5.retrieval.arguments import BATCH, each_string, threads_of
from cr5.retrieval.base_embedder import BaseEmbedder, Embedded, Unknown
from cr5.retrieval.scoring import Scoring, mean_of_nearest
from cr5.retrieval.why import N_PAIRS, Why, reasons
from cr5.search.kernels import similarities
from cr5.search.measures import MEASURES, Measure
from cr5.search.nearest import mean_top_k
from cr5.search.word_matches import matches

if TYPE_CHECKING:
    from cr5.retrieval.alignment import Pair

N_CANDIDATES = 20  # of which one may belong to a text


class Embedder(BaseEmbedder):
    """A fitted model that embeds texts as in training, and compares them.

    Attributes:
        model: the fitted system.
        about: how it was made: fit.json.
        place: where it was read from.
        tokens: how texts become words, as in training.
    """

    def __repr__(self) -> str:
        """Say which model it is, what it can embed and how it compares that."""
        system = self.about.get("system")
        return (
            f"Embedder({str(self.place)!r}, system={system!r}, languages={self.languages}, "
            f"measures={self.measures})"
        )

    @property
    def report(self) -> dict[str, Any]:
        """How the fit went: what was validated, what was chosen, warnings."""
        return dict(self.about.get("fit", {}))

    def save(self, path: str | Path) -> None:
        """Store the model for `cr5.load`, every number as it is: NAME.cr5, or else a folder.

        UserError: it exists; or models of this class cannot be stored.
        """
        path = Path(path).expanduser()
        if path.suffix == store.ENDING:
            export.write(export.PACKED, path, self.model, self.about, exact=True)
        else:
            check_free(path)
            store.save(path, self.model, self.about)
        self.place = path

    def embed(
        self,
        texts: str | Iterable[str],
        language: str,
        target_language: str | None = None,
        *,
        dense: bool = False,
        unknown: Unknown = "zeros",
        batch_size: int = BATCH,
        show_progress_bar: bool = False,
    ) -> np.ndarray | sparse.csr_matrix:
        """Embed texts as documents were embedded in training.

        Args:
            texts: n of them, or one.
            language: of the texts.
            target_language: of the texts to compare with; only needed by a directed model, such
                as word-by-word translation.
            dense: leave out columns of strings, as vector databases want it; rows have the norm
                that they have without.
            unknown: what becomes of texts without a word that has a vector: `zeros` gives rows of
                zeros, and a warning that counts them; `raise` refuses them.
            batch_size: how many texts are embedded at a time; others need memory only as rows.
            show_progress_bar: show how many texts are done, by tqdm.

        Returns:
            n x r, float32, of norm one if the model's measures are cosines: an array, or of models
            with strings a sparse matrix, whose first columns are those of `dense`.

        Raises:
            UserError: the model does not know the language; a text is not a string, or is refused
                as unknown; or the model has nothing but strings, and `dense` is asked for.
        """
        rows = self.embedded(
            texts, language, target_language, unknown, batch_size, show_progress_bar
        ).rows
        if dense:
            return self._dense(rows)
        if isinstance(rows, HybridRows):
            return sparse.hstack(parts_of(rows), format="csr")
        return rows

    def _dense(self, rows: Rows) -> np.ndarray:
        """Return the columns of no strings, of the norm that the whole rows have."""
        dense = parts_of(rows)[0]
        if sparse.issparse(dense):
            raise UserError(
                f"{self.place}: its rows are strings, as wide as the vocabulary and nearly all "
                "zeros, and have no dense part; leave out `dense`, or take another system"
            )
        if dense is rows:
            return dense
        return normalised(dense, self._first_measure.norm or "none")

    @property
    def _first_measure(self) -> Measure:
        return MEASURES[self.model.measures[0]]

    def similarity(self, rows: Any, other_rows: Any) -> np.ndarray:
        """Compare rows of `embed` by the model's first measure, the cosine of most.

        Takes n x r and m x r, arrays or sparse matrices, of which one row may have one dimension.
        Returns n x m, float32; higher is nearer. A row of zeros is as far from any other as texts
        that share nothing: 0 in cosines and products. UserError: one is wider than the other.
        """
        first = self._first_measure
        queries = _as_rows(rows)
        candidates = _as_rows(other_rows)
        if sparse.issparse(queries) != sparse.issparse(candidates):
            queries = sparse.csr_matrix(queries)
            candidates = sparse.csr_matrix(candidates)
        if queries.shape[1] != candidates.shape[1]:
            raise UserError(
                f"rows of {queries.shape[1]} and of {candidates.shape[1]} numbers cannot be "
                "compared: embed both with `dense=True`, or none"
            )
        norm = first.norm or "none"
        scores = _similarities(normalised(queries, norm), normalised(candidates, norm), first)
        return Scoring(first, has_matches=False).bounded(scores)

    def compare(
        self,
        queries: str | Iterable[str],
        query_language: str,
        candidates: str | Iterable[str],
        target_language: str,
        measure: str | None = None,
        *,
        unknown: Unknown = "zeros",
        threads: int | None = None,
    ) -> np.ndarray:
        """Compare each query with each candidate, by the scores of searches; higher is nearer.

        Args:
            queries: n texts, or one.
            query_language: of these.
            candidates: m texts, or one.
            target_language: of these.
            measure: one of the model's `measures`; defaults to its `measure`. Matches of words are
                added for all pairs, while a search adds them for the best candidates only.
            unknown: as of `embed`; a text without known words is as far from any other as texts
                that share nothing: 0 in cosines and products.
            threads: one for each core by default.

        Returns:
            n x m, float32.

        Raises:
            UserError: as of `embed`; the model lacks the measure; `csls`, and it keeps no training
                documents.
        """
        scoring = self.scoring(measure)
        n_threads = threads_of(threads)
        query_texts = self.embedded(queries, query_language, target_language, unknown)
        texts = self.embedded(candidates, target_language, target_language, unknown)
        scores = _similarities(query_texts.rows, texts.rows, scoring.measure)
        if scoring.measure.is_csls:
            r_x, r_y = self._hubness(query_texts, texts, n_threads)
            scores = (2 * scores - r_x[:, None] - r_y).astype(np.float32)
        if scoring.has_matches:
            m = self._matches(query_texts, texts, n_threads)
            scores += scoring.measure.score(self.model.rerank * m, np.zeros(1))
        return scoring.bounded(scores)

    def why(
        self,
        query: str,
        query_language: str,
        candidate: str,
        target_language: str,
        n: int = N_PAIRS,
        measure: str | None = None,
    ) -> Why:
        """Say which words make two texts near: the first n pairs and matches of their score.

        The score is that of `compare`, by the same measures. UserError: as of `compare`, also of
        texts without known words; or the score is no sum over words.
        """
        scoring = self.scoring(measure)
        query_text = self.embedded([query], query_language, target_language, "raise")
        text = self.embedded([candidate], target_language, target_language, "raise")
        correction = 0.0
        if scoring.measure.is_csls:
            r_x, r_y = self._hubness(query_text, text, threads_of(None))
            correction = -float(r_x[0] + r_y[0])
        return reasons(self, query_text, text, scoring, correction, n)

    def align(
        self,
        queries: Iterable[str],
        query_language: str,
        candidates: Iterable[str],
        target_language: str,
        k: int = N_CANDIDATES,
        measure: str | None = None,
        *,
        threads: int | None = None,
        show_progress_bar: bool = False,
    ) -> "list[Pair]":
        """Align two collections of texts one to one.

        Each text of the first collection is searched among the second; of the pairs found, those
        are kept that have the largest sum of scores while no text is in two (Jonker and Volgenant
        1987, on a sparse graph). So a pair depends on all other texts: a reading of both
        collections together (transductive), which a search of one query cannot have.

        Args:
            queries: the first collection.
            query_language: of these.
            candidates: the second collection.
            target_language: of these.
            k: how many texts of the second collection may belong to one of the first.
            measure: one of the model's `measures`; defaults to CSLS if the model has it.
            threads: one for each core by default.
            show_progress_bar: show how many texts are done, by tqdm.

        Returns the pairs, in the order of the first collection. A text without a word that the
        model knows has none, nor one whose candidates belong better to others.
        """
        from cr5.retrieval.alignment import Collection, aligned  # they load Arrow

        return aligned(
            self,
            Collection(list(each_string(queries)), query_language),
            Collection(list(each_string(candidates)), target_language),
            k,
            measure,
            threads,
            show_progress_bar,
        )

    def _hubness(
        self, queries: Embedded, candidates: Embedded, threads: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return r(x) and r(y) of CSLS, (n,) and (m,), by the model's training documents."""
        of_query_language = neighbours(self.model, queries.language)
        of_target_language = neighbours(self.model, candidates.language)
        k = self.n_neighbours
        r_x = mean_of_nearest(queries.rows, of_target_language, k, None, threads)
        r_y = mean_top_k(candidates.rows, of_query_language, k, threads)
        return r_x, r_y

    def _matches(self, queries: Embedded, candidates: Embedded, threads: int) -> np.ndarray:
        """Return m of the second stage for each query and candidate, n x m."""
        n = len(queries.known)
        m = len(candidates.known)
        query, candidate = np.divmod(np.arange(n * m), m)
        query_words = self.model.matched(queries.counts, queries.language)
        candidate_words = self.model.matched(candidates.counts, candidates.language)
        return matches(query_words, candidate_words, query, candidate, threads).reshape(n, m)


def _similarities(rows: Rows, other_rows: Rows, measure: Measure) -> np.ndarray:
    """Return n x m similarities, float32; rows of zeros share nothing with any other."""
    scores = similarities(rows, other_rows, measure.kernel)
    scores[norms(rows, "l2") == 0] = measure.of_nothing
    scores[:, norms(other_rows, "l2") == 0] = measure.of_nothing
    return scores


def _as_rows(rows: Any) -> np.ndarray | sparse.csr_matrix:
    """Return numbers as n x r, float32; UserError for what is none."""
    try:
        if sparse.issparse(rows):
            table = rows.reshape(1, -1) if rows.ndim == 1 else rows
            return sparse.csr_matrix(table, dtype=np.float32)
        numbers = np.atleast_2d(np.asarray(rows, np.float32))
        if numbers.ndim > 2:
            raise ValueError("more than two dimensions")
    except (ValueError, TypeError) as error:
        raise UserError(
            f"rows: expected those of `embed`, found {type(rows).__name__}; `compare` takes texts"
        ) from error
    return numbers
