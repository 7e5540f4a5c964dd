"""A fitted model that embeds texts as in training, and says which words make two near."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.base.languages import folded_code
from cr5.base.rows import Rows, norms, scaled
from cr5.contracts.model import CountedTexts, Model
from cr5.counts.columns import count_known
from cr5.counts.tokens import Tokens
from cr5.models import export, store
from cr5.search.kernels import products, similarities
from cr5.search.measures import MEASURES, measure
from cr5.search.word_matches import best_matches

Unknown = Literal["zeros", "raise"]
"""What becomes of texts without a word that the model knows."""

log = logging.getLogger(__name__)
TARGET = "target language (--to)"


class Embedder:
    """What `cr5.load` returns.

    Attributes:
        model: the fitted system.
        about: how it was made: fit.json.
        place: where it was read from.
        tokens: how texts become words, as in training.
    """

    def __init__(self, model: Model, about: Mapping[str, Any], place: str | Path) -> None:
        self.model = model
        self.about = about
        self.place = Path(place)
        try:
            self.tokens = Tokens.remembered(about.get("tokens"))
        except UserError as error:
            raise UserError(f"{self.place}: {error}") from error
        self._learned = cache(model.learned)
        self._vocabulary = cache(model.vocabulary)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it can embed, as ISO 639-1 codes."""
        return self.model.languages

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures that can compare its rows, simplest first; of a directed model none of hubs."""
        names = self.model.measures
        if self.model.directed:
            return tuple(name for name in names if not MEASURES[name].corrects_hubs)
        return tuple(names)

    @property
    def measure(self) -> str:
        """The measure that searches take: CSLS if the model keeps training documents."""
        if self.model.bank and "csls" in self.measures:
            return "csls"
        return self.measures[0]

    @property
    def neighbours(self) -> int:
        """K of CSLS: of the evaluation whose training documents the model keeps, or else 10."""
        return self.about.get("csls_neighbours") or 10

    @property
    def report(self) -> dict[str, Any]:
        """How the fit went: what was validated, what was chosen, warnings."""
        return dict(self.about.get("fit", {}))

    def save(self, path: str | Path) -> None:
        """Store the model for `cr5.load`, every number as it is: NAME.cr5, or else a folder.

        UserError: it exists; or models of this class cannot be stored.
        """
        if Path(path).suffix == store.ENDING:
            export.write(export.PACKED, path, self.model, self.about, exact=True)
        else:
            check_free(path)
            store.save(path, self.model, self.about)
        self.place = Path(path)

    def count(
        self, texts: Iterable[str], language: str
    ) -> sparse.csr_matrix | np.ndarray | CountedTexts:
        """Count the words of the vocabulary in texts; return the texts if the model reads these."""
        language = self.known_language(language)
        if self.model.reads_texts:
            return np.array(list(texts), object)
        if self.model.reads_both:
            texts = list(texts)
        counts, _ = count_known(texts, language, self._vocabulary(language), self.tokens)
        return CountedTexts(counts, texts) if self.model.reads_both else counts

    def embed(
        self,
        texts: str | Sequence[str],
        language: str,
        target_language: str | None = None,
        unknown: Unknown = "zeros",
    ) -> Rows:
        """Embed texts as documents were embedded in training.

        Args:
            texts: n of them, or one.
            language: of the texts.
            target_language: of the texts to compare with; only needed by a directed model, such
                as word-by-word translation.
            unknown: what becomes of texts without a word that has a vector: `zeros` gives rows of
                zeros, and a warning that counts them; `raise` refuses them.

        Returns:
            n x r, float32, of norm one if the model's measures are cosines; dense, for some systems
            sparse or both (`cr5.base.rows.HybridRows`).

        Raises:
            UserError: the model does not know the language; or a text is not a string, or is
                refused as unknown.
        """
        if unknown not in get_args(Unknown):
            expected = " or ".join(get_args(Unknown))
            raise UserError(f"unknown is {unknown!r}: expected {expected}")
        language = self.known_language(language)
        if target_language is not None or self.model.directed:
            target_language = self.known_language(target_language, TARGET)
        counts = self.count(strings(texts), language)
        known = self.knows(counts, language, target_language)
        if known.all():
            return self.model.embed(counts, language, target_language)
        if unknown == "raise":
            raise self._refusal(known, language)
        log.warning(
            "%d of %d texts have no word that the model knows in %r, the first is text %d: their "
            "rows are zeros",
            len(known) - np.count_nonzero(known),
            len(known),
            language,
            1 + np.argmin(known),
        )
        rows = self.model.embed(counts, language, target_language)
        return scaled(rows, known.astype(np.float32))  # networks have a row for anything

    def count_known(
        self, texts: Iterable[str], language: str, target_language: str | None = None
    ) -> sparse.csr_matrix:
        """Count the words of texts, each of which must have one with a vector.

        The languages are those of the model.
        """
        counts = self.count(texts, language)
        known = self.knows(counts, language, target_language)
        if not known.all():
            raise self._refusal(known, language)
        return counts

    def _refusal(self, known: np.ndarray, language: str) -> UserError:
        return UserError(
            f"text {1 + np.argmin(known)}, taken as {language!r}, cannot be compared: no training "
            "document had any of its words; leave it out, or name its language: "
            f"{', '.join(self.languages)}"
        )

    def knows(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> np.ndarray:
        """Return which counted texts have a word with a vector, (n,) bool."""
        if self.model.reads_texts:
            return np.array([bool(text.strip()) for text in counts], bool)
        if self.model.reads_both:
            return np.array([bool(text.strip()) for text in counts.texts], bool)
        return counts @ self._learned(language, target_language).astype(np.int32) > 0

    def similarity(
        self,
        queries: str | Sequence[str],
        query_language: str,
        texts: str | Sequence[str],
        language: str,
        unknown: Unknown = "zeros",
    ) -> np.ndarray:
        """Compare queries with texts by the model's first measure; higher is nearer.

        A text without known words is as far from any other as texts that share nothing: 0 in
        cosines and products. `unknown` and errors are those of `embed`.

        Returns queries x texts, float32.
        """
        query_rows = self.embed(queries, query_language, language, unknown)
        text_rows = self.embed(texts, language, language, unknown)
        first = measure(self.measures[0])
        scores = similarities(query_rows, text_rows, first.kernel)
        scores[norms(query_rows, "l2") == 0] = first.of_nothing
        scores[:, norms(text_rows, "l2") == 0] = first.of_nothing
        return scores

    def known_language(self, language: str | None, role: str = "language") -> str:
        """Return the model's code of a language, `pt_br` for pt-BR; UserError if it has none."""
        code = language
        if isinstance(language, str):
            code = folded_code(language)
        if code not in self.model.words:
            languages = ", ".join(self.languages)
            raise UserError(f"{self.place} does not know the {role} {language!r}, only {languages}")
        return code


def several(role: str, values: Any, have_order: bool = True) -> Iterable:
    """Return the values, which have an order unless it plays no part; UserError if there are none.

    They are not the letters of a string, or the names in a frame or mapping.
    """
    is_whole = isinstance(values, str | bytes | Mapping) or hasattr(values, "columns")
    if is_whole or not isinstance(values, Iterable):
        raise UserError(f"{role}: expected several, such as a list; found {values!r:.40}")
    if have_order and isinstance(values, set | frozenset):
        raise UserError(f"{role}: a set has no order; give a list, found {values!r:.40}")
    return values


def strings(values: Any, role: str = "text") -> list[str]:
    """Return strings, or one, as a list; `role` names one of them."""
    if isinstance(values, str):
        return [values]
    texts = list(several(f"{role}s", values))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise UserError(f"{role} {number}: expected a string, found {type(text).__name__}")
    if not texts:
        raise UserError(f"no {role} is given; give one")
    return texts


Pairs = list[tuple[str, str, float]]
"""Word of the query, word of the text, and their part of the score, largest first."""


class Why(NamedTuple):
    """A similarity and its summands."""

    score: float  # the similarity, for most models the cosine
    pairs: Pairs  # which add up to it; an empty word is what a model adds to every text
    matches: Pairs  # what a second stage adds: the best match of each word in the other text


def why(
    embedder: Embedder, query: str, query_language: str, text: str, language: str, n: int = 10
) -> Why:
    """Say which words make two texts near: the first n pairs and matches.

    A text is a weighted sum of its words' vectors, so the product of two texts is a sum over pairs
    of words, one from each text. UserError: as of `Embedder.embed`; or it is not such a sum.
    """
    if measure(embedder.measures[0]).kernel != "product":
        raise UserError(
            f"{embedder.place}: texts are compared by {embedder.measures[0]}, which is not a sum "
            "over words"
        )
    model = embedder.model
    target_language = embedder.known_language(language)
    query_language = embedder.known_language(query_language)
    query_counts = embedder.count_known(strings(query), query_language, target_language)
    text_counts = embedder.count_known(strings(text), target_language, target_language)
    query_words, query_rows = model.parts(query_counts, query_language, target_language)
    text_words, text_rows = model.parts(text_counts, target_language, target_language)
    words = _Words(
        model.vocabulary(query_language).labels, model.vocabulary(target_language).labels
    )
    table = products(query_rows, text_rows)
    matches = []
    if model.rerank:
        queries = model.matched(query_counts, query_language)
        texts = model.matched(text_counts, target_language)
        best = best_matches(queries, 0, texts, 0)
        matches = words.largest(best.words, best.other_words, model.rerank * best.added, n)
        matches = [match for match in matches if match[-1]]
    return Why(float(table.sum()), words.largest(query_words, text_words, table, n), matches)


@dataclass(frozen=True)
class _Words:
    """The words of two languages, whose numbers are rows and columns of tables."""

    of_query: Sequence[str]
    of_text: Sequence[str]

    def largest(self, rows: np.ndarray, columns: np.ndarray, table: np.ndarray, n: int) -> Pairs:
        """Return the n largest numbers of a table with their words; -1 is no word."""
        order = np.argsort(-table, axis=None, kind="stable")[:n]
        row_places, column_places = np.unravel_index(order, table.shape)
        pairs = []
        for row, column in zip(row_places, column_places, strict=True):
            word = _word(self.of_query, rows[row])
            other_word = _word(self.of_text, columns[column])
            pairs.append((word, other_word, float(table[row, column])))
        return pairs


def _word(words: Sequence[str], number: int) -> str:
    """Return a word; an empty one is what a model adds to every text."""
    if number < 0:
        return ""
    return words[number]
