"""Words that languages share, and words that tables translate: nothing is learnt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from cr5.base.parts import Language, Some, System
from cr5.systems.cr5.models import Scripts

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class LexicalOverlap(System):
    """No translation at all: tf-idf cosine on strings that languages share.

    Names, numbers written as words and loans are spelled the same in many languages. This baseline
    finds documents without any model. Every distinct string is one dimension, so the word table is
    a sparse selection matrix.
    """

    title = "Lexical overlap"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (0.5, 0.5)
    colour = "#7B4FA3"
    without_counts: ClassVar = {"paper_weights": False}

    # log2(1 + f) log2(n / d_j), for n documents of all languages, d_j of which have the string
    paper_weights: bool = False
    """Whether words are weighed and chosen as by Platt, Toutanova, Yih 2010."""
    skip_words: NonNegativeInt = 50
    """Of `paper_weights`: most frequent strings that are dropped."""
    max_words: PositiveInt = 20000
    """Of `paper_weights`: strings kept of the others."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts, which the paper's weights are of."""
        return ("counts",) if self.paper_weights else ()

    def fit(self, training: TrainingSet) -> Fit:
        """Give every string its own dimension; see `lexical_overlap`."""
        from cr5.systems.baselines.fits import lexical_overlap

        return lexical_overlap(training, self)


class PrefixOverlap(System):
    """Strings alone: documents are compared by the beginnings of words that languages share.

    Names, numbers written as words and loans begin alike in many languages, whatever their endings
    and accents; in different scripts they may sound alike (`cr5.systems.cr5.spelling`). Nothing is
    fitted: only the frequency of a beginning comes from training documents. On biographies,
    where names suffice, this finds more than any system that learns; it is in the tables so that
    shared names are not mistaken for learning. `lexical_overlap` is simpler: whole words, and
    tf-idf.
    """

    title = "Prefix overlap"
    cost = (0.5, 0.5)
    colour = "#8A8A8A"

    letters: PositiveInt = 5
    """Of the beginning of a word."""
    scripts: Scripts = "own"
    """How words are written before their beginnings are compared."""

    def fit(self, training: TrainingSet) -> Fit:
        """Count beginnings; see `cr5.systems.cr5.spelling.beside`."""
        from cr5.fitting.contract import Fit
        from cr5.models.word_tables import WordTables
        from cr5.systems.cr5.spelling import beside, compared

        words = compared(training.words, self.scripts)
        tables, weights, frequency = beside(words, training.features, self.letters).values()
        model = WordTables(training.words, tables, weights, term_frequency=frequency)
        return Fit(model, {"strings": next(iter(tables.values())).shape[1]})


class Bm25(System):
    """BM25 on words that languages share (Robertson and Zaragoza 2009); nothing is translated.

    In one language this is the usual search; across languages, lexical overlap with BM25's weights,
    and `bm25_translated` translates the query. Idf and mean length are those of the training
    documents of the candidates' language, but where a collection is searched (`ad_hoc`) those of
    the collection: of other text they would be those of other words and lengths.
    """

    title = "BM25"
    reference = "Robertson and Zaragoza, 2009"
    cost = (0.5, 0.5)
    without_counts = None  # lengths are numbers of words
    needs = ("counts",)

    k1: Some[NonNegativeFloat] = (1.2,)
    """How late counts saturate; several are validated."""
    b: Some[Annotated[float, Field(ge=0, le=1)]] = (0.75,)
    """How much of a text's length is evened out; likewise."""

    def fit(self, training: TrainingSet) -> Fit:
        """Let each word stand for the same string of the other languages."""
        from cr5.systems.baselines.fits import bm25, same_strings

        return bm25(training, self, same_strings(training))


class WordByWord(System):
    """Word-by-word translation: x towards another language is x P (Platt et al. 2010, section 3.2).

    P has p(target word | source word); documents are weighted rows in their own words, translated
    into those of the candidates; a word without a translation stands for itself where the target
    has it. They are compared directly, or after a latent semantic analysis of the target language's
    training documents, x P V against y V; nothing else is fitted. The paper translates into English
    in both directions, queries or candidates: `into: en`.

    The weights are those of its projections: log2(f + 1) log2(n / d_j), without the most frequent
    and the rare words; with counts f in place of their logarithms it finds less (docs/papers.md).
    """

    title = "Word by word"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (0.5, 0.5)
    needs = ("alignments", "counts")

    skip_words: NonNegativeInt = 50
    """Most frequent words of each language dropped."""
    max_words: PositiveInt = 20000
    """Words kept of the others."""
    into: Language | None = None
    """Language that all texts are translated into; null: that of the candidates."""
    via: Literal["lsa"] | None = None
    """`lsa`: both sides go through one of the target language."""
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000)
    """Of `lsa`; validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as they are, or as maps to a latent space."""
        from cr5.systems.baselines.fits import word_by_word

        return word_by_word(training, self)


class Bm25Translated(Bm25):
    """BM25 with queries translated word by word; see `bm25` and `word_by_word`.

    A word of the query counts for each of its translations, by the translation's probability
    (probabilistic structured queries, Darwish and Oard 2003, without their pooled frequencies).
    """

    title = "Word by word + BM25"
    needs = ("alignments", "counts")

    def fit(self, training: TrainingSet) -> Fit:
        """Use the translation tables as they are; the report counts what has a translation."""
        from cr5.systems.baselines.fits import bm25, translations

        every = {x: [1] * len(words) for x, words in training.words.items()}
        tables, report = translations(training, every)
        found = bm25(training, self, tables)
        return replace(found, report=found.report | {"words": report})
