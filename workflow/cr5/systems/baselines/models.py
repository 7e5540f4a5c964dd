"""Systems that others are compared with: words in common, translated ones, vectors of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from cr5.base.errors import LeftOutError, UserError
from cr5.base.parts import File, Language, Some, System
from cr5.systems.cr5.models import Scripts

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet

LONGEST = 10_000  # words; gensim ignores what a sentence has beyond them
SAMPLE = 1e-4  # threshold above which frequent words are thinned out


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
    counts: bool = False
    """Of `paper_weights`: whether words so chosen count as often as they occur, without weights."""

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
    and the rare words.
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
    term_frequency: Literal["log", "raw"] = "log"
    """How counts enter: log2(1 + f), or f as it is, which finds less (docs/papers.md)."""
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


class Pretrained(System):
    """Released word vectors, such as those of Cr5's authors; nothing is fitted.

    Josifoski et al. published a file per language, `{model}_{language}.txt.gz`. Their training data
    is not known here: it may include the documents that are searched. Words are weighed by the idf
    of our training documents, as in the paper.
    """

    title = "Pretrained vectors"
    cost = (1, 0.5)

    path: File = ""
    """Of the files, or their address, with {language}."""
    dimension: PositiveInt = 300
    """Numbers of a line."""

    def fit(self, training: TrainingSet) -> Fit:
        """Read the vectors of the vocabularies; words without one do not count."""
        from cr5.fitting import vectors
        from cr5.fitting.contract import Fit

        tables, counts, warnings = {}, {}, []
        for x, words in training.words.items():
            path = training.files[x]["path"]
            known, rows = vectors.read(path, dimension=self.dimension)
            n = len(words)
            tables[x] = vectors.align(known, rows, words)
            covered = vectors.coverage(x, known, rows, words)
            if not covered.n_with_vector:
                raise UserError(
                    f"{path}: none of its {len(known)} words is in the vocabulary; is it of "
                    f"another language, are its words not lower-cased, or has it not "
                    f"{self.dimension} numbers a line (`dimension`)?"
                )
            has = {"vocabulary": n, "with_vector": covered.n_with_vector}
            counts[x] = {"file": len(known), **has}
            warnings += covered.warnings
            lacks = ~tables[x].any(axis=1)
            if lacks.any():
                share = training.frequencies[x][lacks].sum() / training.frequencies[x].sum()
                warnings.append(
                    f"{x}: {lacks.sum()} of {n} words, {share:.1%} of the text, have no vector and "
                    "do not count"
                )
        return Fit(training.model(tables), {"words": counts, "warnings": warnings})


class Encoder(System):
    """A sentence encoder of others, as it is: what a user would take instead.

    Nothing is fitted. The encoder embeds the texts of the documents themselves, the same queries
    and candidates as for every other system; its training data are not known here, and may include
    them.
    """

    title = "Encoder"
    cost = (1, 0.5)
    needs = ("texts",)

    path: Annotated[File, Field(pattern=r"^[^{}]*$")] = ""
    """Of the encoder's folder on this machine, one for all languages."""
    prefix: str = ""
    """Put before each text, such as `query: `, if the encoder expects it."""

    def fit(self, training: TrainingSet) -> Fit:
        """Identify the encoder, and try it."""
        from pathlib import Path

        from cr5.fitting.contract import Fit
        from cr5.models.text_encoder import PACKAGE, TextEncoder, sha256_of

        folder = Path(training.files[training.languages[0]]["path"])
        model = TextEncoder(training.words, str(folder), sha256_of(folder), self.prefix)
        example = model.embed(["a"], training.languages[0])
        import sentence_transformers  # which embedding found installed

        version = sentence_transformers.__version__
        report = {"package": PACKAGE, "version": version, "dimension": example.shape[1]}
        return Fit(model, report)


class Bwesg(System):
    """Bilingual word embeddings skip-gram (Vulić and Moens, ACL and SIGIR 2015).

    The documents of a concept are merged, in any number of languages, and shuffled, so that the
    words around a word are of all languages; skip-gram with negative sampling is trained on that
    text. Words are told apart by language. A document is the weighted sum of the vectors of its
    words.

    Shuffling forgets the order of words, so counts are all that it takes. As published, concepts of
    one language alone are left out.
    """

    title = "BWESG"
    reference = "Vulić and Moens, ACL 2015 and SIGIR 2015"
    without_counts = None  # its text is of counted words
    needs = ("counts",)

    # those of the papers: dimensions of 100 to 400, windows of up to 60, which grow to be better
    dimensions: Some[PositiveInt] = (300,)
    """Length of a vector; several are validated."""
    window: PositiveInt = 48
    """Words on each side that count as context, at most."""
    epochs: PositiveInt = 15
    """Passes over the text."""
    negative: PositiveInt = 25
    """Noise words per context word."""
    min_count: PositiveInt = 5
    """Words that occur less often get no vector."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train once for each length of the vectors, on one thread, on the same text."""
        from cr5.fitting.choose import best

        text = list(_merged(training))
        if not text:
            raise LeftOutError(
                "no concept has training documents in two languages: nothing to merge"
            )
        return best(training, (self._trained(training, text, x) for x in self.dimensions))

    def _trained(self, training: TrainingSet, text: list[list[str]], dimension: int) -> Fit:
        from cr5.fitting import vectors
        from cr5.fitting.contract import Fit
        from cr5.fitting.options import VectorOptions

        own = {x: getattr(self, x) for x in ("window", "epochs", "negative", "min_count")}
        settings = VectorOptions(algorithm="word2vec", dimension=dimension, sample=SAMPLE, **own)
        found = vectors.train(text, settings, training.seed)
        tables = {x: vectors.align(*found, _named(x, words)) for x, words in training.words.items()}
        facts = {"tokens": sum(map(len, text)), "words_with_vector": len(found[0])}
        return Fit(training.model(tables), facts, {"dimension": dimension})


def _merged(training: TrainingSet) -> Iterator[list[str]]:
    """Yield the words of each concept of two languages or more, in random order."""
    from scipy import sparse

    from cr5.systems.projections.columns import members

    generator = np.random.default_rng(training.seed)
    words = np.concatenate([_named(x, training.words[x]) for x in training.languages])
    counts = [members(training, x) @ training.counts[x] for x in training.languages]
    n_languages = sum(np.diff(each.indptr) > 0 for each in counts)
    for row in sparse.hstack(counts, "csr")[n_languages > 1]:
        text = generator.permutation(np.repeat(words[row.indices], row.data.astype(int))).tolist()
        for start in range(0, len(text), LONGEST):
            yield text[start : start + LONGEST]


def _named(language: str, words: list[str]) -> list[str]:
    """Tell the words of a language from those of others."""
    return [f"{language}:{word}" for word in words]
