"""A fitted model and the rules by which texts become its words: what counts and embeds texts."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.languages import folded_code
from cr5.base.rows import Rows, norms, parts_of, scaled, stacked
from cr5.contracts.model import CountedTexts, Model
from cr5.counts.columns import count_known
from cr5.counts.tokens import Tokens
from cr5.retrieval.arguments import BATCH, batches, strings, whole_number
from cr5.retrieval.scoring import Scoring, full_name, scorings

Counts: TypeAlias = sparse.csr_matrix | np.ndarray | CountedTexts
"""Texts as a model takes them: counts of words, texts as they are, or both."""
Unknown = Literal["zeros", "raise"]
"""What becomes of texts without a word that the model knows."""
CSLS = "csls"

log = logging.getLogger(__name__)
TARGET = "target language (--to)"


@dataclass(frozen=True)
class Embedded:
    """Texts of one language, as a model counts and embeds them."""

    language: str
    counts: Counts
    known: np.ndarray  # which have a word with a vector, (n,) bool
    rows: Rows  # n x r, float32; zeros for those that have none


class BaseEmbedder:
    """What `Embedder` adds comparisons to: it counts, embeds, and says what it can do."""

    def __init__(self, model: Model, about: Mapping[str, Any], place: str | Path) -> None:
        self.model = model
        self.about = about
        self.place = Path(place)
        try:
            self.tokens = Tokens.remembered(about.get("tokens"))
        except UserError as error:
            raise UserError(f"{self.place}: {error}") from error
        self._scorings = scorings(model)
        self._learned = cache(model.learned)
        self._vocabulary = cache(model.vocabulary)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let processes of joblib and multiprocessing have a copy; what is remembered is no part.

        Not for keeping: `save` does that. The copy has its numbers in memory: joblib would tell
        another process which file they are mapped from, and that of `cr5.fit` is gone.
        """
        return type(self), (deepcopy(self.model), self.about, self.place)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it can embed, as ISO 639-1 codes."""
        return self.model.languages

    @property
    def measures(self) -> tuple[str, ...]:
        """How it can compare texts, simplest first: `cosine`, `csls`, ..., see `scoring`."""
        return tuple(self._scorings)

    @property
    def measure(self) -> str:
        """What searches, `compare` and `why` take unless told otherwise.

        CSLS if the model keeps training documents, else its first measure; with the matches of a
        second stage if it has one.
        """
        if self.model.bank and CSLS in self._scorings:
            return full_name(self.model, CSLS)
        return full_name(self.model, self.model.measures[0])

    @cached_property
    def dimension(self) -> int | None:
        """The numbers of a row of `embed`, of models with strings those of `dense=True` rows.

        None if it depends on the target language.
        """
        if self.model.directed and not self.model.reads_texts:
            return None
        language = self.languages[0]
        rows = self.model.embed(self.count([""], language), language, language)
        return int(parts_of(rows)[0].shape[1])

    @property
    def n_neighbours(self) -> int:
        """K of CSLS: of the evaluation whose training documents the model keeps, or else 10."""
        return self.about.get("csls_neighbours") or 10

    def scoring(self, measure: str | None) -> Scoring:
        """Return what a name in `measures` means, None being the default; UserError if nothing."""
        if measure is None:
            measure = self.measure
        if measure not in self.measures:
            raise UserError(
                f"texts of {self.place} are not compared by {measure!r}; its measures are "
                f"{', '.join(self.measures)}"
            )
        return self._scorings[measure]

    def scoring_of_run(self, measure: str) -> Scoring:
        """Return what tables of a run mean by a measure; the default if the model lacks it.

        There a second stage is part of each measure.
        """
        if measure in self.measures:
            return self._scorings[full_name(self.model, measure)]
        return self.scoring(None)

    @property
    def trained_languages(self) -> tuple[str, ...]:
        """Languages of which the model keeps training documents, by which CSLS corrects hubs."""
        if self.model.directed:
            return ()
        return tuple(self.model.bank or ())

    def count(self, texts: Iterable[str], language: str) -> Counts:
        """Count the words of the vocabulary in texts; return the texts if the model reads these."""
        language = self.known_language(language)
        contents = list(texts)
        if self.model.reads_texts:
            return np.array(contents, object)
        counts = count_known(contents, language, self._vocabulary(language), self.tokens)
        if self.model.reads_both:
            return CountedTexts(counts, contents)
        return counts

    def knows(
        self, counts: Counts, rows: Rows, language: str, target_language: str | None = None
    ) -> np.ndarray:
        """Return which counted and embedded texts have a word with a vector, (n,) bool.

        Encoders have words of their own: of these models, which are not blank and have a row that
        is not of zeros.
        """
        if self.model.reads_texts or isinstance(counts, CountedTexts):
            texts = counts.texts if isinstance(counts, CountedTexts) else counts
            has_text = np.array([bool(text.strip()) for text in texts], bool)
            return has_text & (norms(rows, "l2") > 0)
        return counts @ self._learned(language, target_language).astype(np.int32) > 0

    def embedded(
        self,
        texts: str | Iterable[str],
        language: str,
        target_language: str | None = None,
        unknown: Unknown = "zeros",
        batch_size: int = BATCH,
        show_progress_bar: bool = False,
    ) -> Embedded:
        """Count and embed texts of a language; see `Embedder.embed`."""
        if unknown not in get_args(Unknown):
            expected = " or ".join(get_args(Unknown))
            raise UserError(f"unknown is {unknown!r}: expected {expected}")
        language = self.known_language(language)
        if target_language is not None or self.model.directed:
            target_language = self.known_language(target_language, TARGET)
        contents = strings(texts)
        size = whole_number("batch_size", batch_size)
        counts = []
        rows = []
        known = []
        for part in batches(len(contents), size, language, show_progress_bar):
            counts.append(self.count(contents[part], language))
            rows.append(self.model.embed(counts[-1], language, target_language))
            known.append(self.knows(counts[-1], rows[-1], language, target_language))
        embedded = Embedded(language, _joined(counts), np.concatenate(known), stacked(rows))
        return self._of_known(embedded, unknown)

    def _of_known(self, texts: Embedded, unknown: Unknown) -> Embedded:
        """Refuse texts of unknown words, or warn of them and make their rows zeros."""
        if texts.known.all():
            return texts
        n_texts = len(texts.known)
        first = 1 + np.argmin(texts.known)
        if unknown == "raise":
            raise UserError(
                f"text {first}, taken as {texts.language!r}, cannot be compared: no training "
                "document had any of its words; leave it out, or name its language: "
                f"{', '.join(self.languages)}"
            )
        log.warning(
            "%d of %d texts have no word that the model knows in %r, the first is text %d: their "
            "rows are zeros",
            n_texts - np.count_nonzero(texts.known),
            n_texts,
            texts.language,
            first,
        )
        # networks have a row for anything
        rows = scaled(texts.rows, texts.known.astype(np.float32))
        return replace(texts, rows=rows)

    def known_language(self, language: str | None, role: str = "language") -> str:
        """Return the model's code of a language, `pt_br` for pt-BR; UserError if it has none."""
        if isinstance(language, str):
            code = folded_code(language)
            if code in self.model.words:
                return code
        languages = ", ".join(self.languages)
        raise UserError(f"{self.place} does not know the {role} {language!r}, only {languages}")


def _joined(parts: Sequence[Counts]) -> Counts:
    """Return counted texts of several batches as those of one."""
    if len(parts) == 1:
        return parts[0]
    of_both = [part for part in parts if isinstance(part, CountedTexts)]
    if of_both:
        texts: list[str] = []
        for part in of_both:
            texts += part.texts
        return CountedTexts(sparse.vstack([part.counts for part in of_both]).tocsr(), texts)
    if sparse.issparse(parts[0]):
        return sparse.vstack(parts).tocsr()
    return np.concatenate([np.asarray(part) for part in parts])
