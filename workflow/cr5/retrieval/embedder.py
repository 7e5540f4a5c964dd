"""A fitted model that embeds texts, tokenised, weighted and scaled as in training."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.base.rows import Rows, stacked
from cr5.counts.columns import Known, count_known
from cr5.counts.tokens import Tokens
from cr5.models import store
from cr5.models.card import card
from cr5.models.contract import Model
from cr5.retrieval.given import check_kind, check_texts, several
from cr5.retrieval.language import by_language, most_likely
from cr5.search.measures import measure
from cr5.search.similarity import whole_rows

SHOWN = 5  # words


class Embedder:
    """What `cr5.load` returns.

    Attributes:
        model: the fitted system.
        about: how it was made: fit.json.
        place: where it was read from.
        tokens: how texts become words, as in training.
    """

    def __init__(self, model: Model, about: Mapping[str, Any], place: str | Path) -> None:
        self.model, self.about, self.place = model, about, Path(place)
        try:
            self.tokens = Tokens.remembered(about.get("tokens"))
        except UserError as error:
            raise UserError(f"{self.place}: {error}") from error
        self._numbers: dict[str, dict[str, int]] = {}
        self._learned: dict[tuple[str, str | None], np.ndarray] = {}

    def __repr__(self) -> str:
        """Name the place and the languages."""
        place = str(self.place).removeprefix("the model ")  # of one that is in memory alone
        return f"<cr5 model {place}: {', '.join(self.languages)}>"

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it can embed, as ISO 639-1 codes."""
        return self.model.languages

    @property
    def measures(self) -> tuple[str, ...]:
        """Measures that can compare its rows, simplest first."""
        return tuple(self.model.measures)

    @property
    def measure(self) -> str:
        """The measure that searches take: CSLS if the model keeps training documents."""
        corrected = self.model.bank is not None and "csls" in self.measures
        return "csls" if corrected and not self.model.directed else self.measures[0]

    @property
    def report(self) -> dict[str, Any]:
        """How the fit went: what was validated, what was chosen, warnings."""
        return dict(self.about.get("fit", {}))

    def save(self, path: str | Path) -> None:
        """Store the model for `cr5.load`, every number as it is.

        Args:
            path: a file if its name ends in .cr5, otherwise a folder; must not exist yet.

        Raises:
            UserError: it exists; or models of this class cannot be stored.
        """
        if Path(path).suffix == store.ENDING:
            readme = card(self.model, self.about, "packed")
            store.pack(path, self.model, self.about, readme=readme)
        else:
            check_free(path)
            store.save(path, self.model, self.about)
        self.place = Path(path)

    def count(self, texts: Iterable[str], language: str) -> Known:
        """Count the words of the model's vocabulary in texts.

        Returns:
            Their counts; the texts themselves take their place if the model reads texts.

        Raises:
            UserError: the model does not know the language.
        """
        self.check_language(language)
        if self.model.reads_texts:
            given = np.array(list(texts), object)
            words = [text.split() for text in given]
            sizes = (np.array([len(kind(each)) for each in words], int) for kind in (list, set))
            return Known(given, *sizes)
        if language not in self._numbers:
            words = self.model.words[language]
            self._numbers[language] = {word: number for number, word in enumerate(words)}
        return count_known(texts, language, self._numbers[language], self.tokens)

    def guess(self, texts: Sequence[str]) -> list[str | None]:
        """Guess the language of each text, among those of the model; None if it knows no word."""
        numbered = enumerate(several("texts", texts), start=1)
        texts = [check_kind(text, f"text {number}") for number, text in numbered]
        return most_likely({x: self.count(texts, x) for x in self.languages})

    def languages_of(self, texts: Sequence[str], language: str | None = None) -> list[str]:
        """Return the language given for each text, or its guess; the first one if that is None."""
        if language is not None:
            return [language] * len(texts)
        return [x or self.languages[0] for x in self.guess(texts)]

    def embed(
        self,
        texts: str | Sequence[str],
        language: str | None = None,
        target_language: str | None = None,
    ) -> Rows:
        """Embed texts as documents were embedded in training.

        Args:
            texts: n of them, or one.
            language: of the texts; None guesses that of each.
            target_language: of the texts to compare with; only needed by a directed model, such
                as word-by-word translation.

        Returns:
            n x r, float32, of norm one if the model's measures are cosines; dense, for some systems
            sparse or both (`cr5.base.rows.HybridRows`).

        Raises:
            UserError: the model does not know the language; or a text is not a string, is empty, is
                the path of a file, or has no word with a vector.
        """
        if target_language is not None:
            self.check_language(target_language)
        texts = [texts] if isinstance(texts, str) else several("texts", texts)
        given = list(check_texts(texts))
        languages = self.languages_of(given, language)
        names = [f"{x} of {len(given)}" for x in range(1, len(given) + 1)]
        rows, order = [], []
        for each, numbers in by_language(languages):
            chosen = ([given[x] for x in numbers], each, target_language)
            counts = self.count_known(*chosen, [names[x] for x in numbers])
            rows.append(self.embed_counts(counts, each, target_language))
            order.append(numbers)
        return stacked(rows)[np.argsort(np.concatenate(order))]

    def count_known(
        self,
        texts: Iterable[str],
        language: str,
        target_language: str | None = None,
        names: Sequence[str] | None = None,
    ) -> sparse.csr_matrix:
        """Count the words of texts, each of which must have one with a vector.

        Args:
            texts: n of them.
            language: of the texts.
            target_language: as for `embed`.
            names: of the texts, for the message; else they are numbered.

        Raises:
            UserError: the model does not know the language, or a text has no such word.
        """
        known = self.count(texts, language)
        without = np.flatnonzero(~self.knows(known.counts, language, target_language))
        if len(without):
            first, n = without[0], known.counts.shape[0]
            name = f"text {first + 1} of {n}" if names is None else f"text {names[first]}"
            raise UserError(self._unknown(known, first, name, language, len(without) - 1))
        return known.counts

    def knows(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> np.ndarray:
        """Return which counted texts have a word with a vector, (n,) bool; others compare to none.

        The vocabulary has words that no training document has: their vectors are zeros.
        """
        if self.model.reads_texts:
            return np.array([bool(text.strip()) for text in counts], bool)
        key = language, target_language
        if key not in self._learned:
            self._learned[key] = self.model.learned(*key)
        return counts @ self._learned[key].astype(np.int32) > 0

    def embed_counts(
        self, counts: sparse.csr_matrix, language: str, target_language: str | None = None
    ) -> Rows:
        """Embed texts counted by `count`; a text without such words is a row of zeros."""
        if self.model.directed and target_language is None:
            raise UserError(
                f"{self.place} embeds queries anew for each language of candidates: name it as "
                f"`target_language` (--target-language), one of {', '.join(self.languages)}"
            )
        if target_language is not None:
            self.check_language(target_language)
        return self.model.embed(counts, language, target_language)

    def words_of(self, counts: sparse.csr_matrix, language: str) -> sparse.csr_matrix | None:
        """Weigh the words of counted texts for a second stage of searches.

        Returns:
            n x vocabulary, see `cr5.search.word_matches`; None if the model has no second stage.
        """
        if not self.model.rerank:
            return None
        return self.model.matched(counts, language).weights

    def similarity(
        self,
        queries: str | Sequence[str],
        query_language: str,
        texts: str | Sequence[str],
        language: str,
    ) -> np.ndarray:
        """Compare every query with every text by the model's first measure, usually the cosine.

        Returns:
            queries x texts, float32; higher is nearer.

        Raises:
            UserError: as of `embed`.
        """
        rows = [
            self.embed(queries, query_language, language if self.model.directed else None),
            self.embed(texts, language, language if self.model.directed else None),
        ]
        kernel = measure(self.measures[0]).kernel
        return np.vstack(list(whole_rows(*rows, kernel)))

    def check_language(self, language: str) -> None:
        """Raise `UserError` if the model does not know the language."""
        if language not in self.model.words:
            raise UserError(
                f"{self.place} does not know the language {language!r}, only "
                f"{', '.join(self.languages)}"
            )

    def _unknown(self, known: Known, number: int, name: str, language: str, others: int) -> str:
        """Say why a text cannot be compared, and how many others cannot."""
        columns = known.counts[number].indices
        if not known.n_tokens[number]:
            also = f" (nor has one of {others} other texts)" if others else ""
            return (
                f"{name}, taken as {language!r}, has no word: all of it is digits, punctuation or "
                f"stop words{also}; leave it out"
            )
        if len(columns) == 0:
            return (
                f"the model knows none of the {known.n_tokens[number]} words of {name}, taken as "
                f"{language!r}{f', nor of {others} others' if others else ''}: is that its "
                f"language? The model knows {known.counts.shape[1]} words of it and these "
                f"languages: {', '.join(self.languages)}"
            )
        words = ", ".join(self.model.words[language][x] for x in columns[:SHOWN])
        return (
            f"{name} cannot be compared: none of these {len(columns)} words was in a training "
            f"document: {words}{', ...' if len(columns) > SHOWN else ''}"
            f"{f' (nor was one of {others} other texts)' if others else ''}"
        )
