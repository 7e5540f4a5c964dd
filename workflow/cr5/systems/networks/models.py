"""Networks that learn to retrieve by contrast, and an autoencoder: their keys, what trains them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from cr5.base.parts import Language, Some, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Contrasted(System):
    """A text is to be nearer to its answer than to other texts, its negatives."""

    cost = (1, 8)
    without_counts: ClassVar = {"weights": "given"}

    dimension: PositiveInt = 128
    """Of networks, and of the model, or as many as the documents allow."""
    skip_words: NonNegativeInt = 0
    """Most frequent words, of each language or of all, that are dropped."""
    loss: Literal["difference", "margin", "logistic"] = "difference"
    """Of the cosines with the answer and with a negative."""
    negatives: PositiveInt = 1
    """Of each text, drawn anew in each epoch."""
    hardest: bool = False
    """Whether only the nearest of the negatives counts."""
    optimiser: Literal["cg", "adam"] = "cg"
    """Conjugate gradients as published, or Adam."""
    held_out: Annotated[float, Field(ge=0, lt=1)] = 0.02
    """Share of the pairs by whose mean reciprocal rank training is stopped."""


class Monolingual(Contrasted):
    """A network for each language, which trains on texts of that language alone."""

    reference = "Gupta, Banchs and Rosso, IP&M 2017"
    # A channel's documents also say which words are frequent, whatever stage 1 trains on.
    needs = ("counts", "channels")

    max_words: PositiveInt = 10_000
    """Words kept of the others in each language."""
    weights: Literal["given", "paper"] = "given"
    """Counts as they are, as published; or those of the projections, log2(1 + count) log2(n / df).
    """
    layers: PositiveInt = 1
    """Of each network; more brought the authors nothing."""
    start: Literal["random", "autoencoder"] = "random"
    """Of each network's words: drawn, or a linear autoencoder of its texts."""
    stage1: Literal["channel", "documents", "random"] = "channel"
    """Trains on the channel (documents where there is none), on documents, or not at all."""
    self_matches: bool = False
    """Whether a text is its own answer in stage 1, as published."""
    stage1_epochs: PositiveInt = 20
    """Of stage 1 at most."""


class Xcnn(Monolingual):
    """XCNN (Gupta, Banchs and Rosso 2017): networks that learn to retrieve, first in one language.

    Stage 1 trains the network of one language, the pivot, on texts of that language alone. Stage 2
    keeps that network and trains one for each other language: a document is to be nearer to that of
    the pivot on the same concept than to another one (section 4.2, Eq. 9). A word passes through
    the layers alone, so the model is a table of word vectors for each language.
    """

    title = "XCNN"

    pivot: Language | None = None
    """The language of stage 1, whose network is kept; null: English, or else the first."""
    epochs: PositiveInt = 50
    """Of stage 2 at most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train the pivot's network, then those of the others against it."""
        from cr5.systems.networks.fits import fit_xcnn

        return fit_xcnn(training, self)


class MonoXcnn(Monolingual):
    """Mono-XCNN (Gupta, Banchs and Rosso 2017, section 5.3): XCNN's first stage in each language.

    For search within a language. The networks know nothing of each other: across languages it finds
    nothing.
    """

    title = "mono-XCNN"

    def fit(self, training: TrainingSet) -> Fit:
        """Train the network of each language on its texts alone."""
        from cr5.systems.networks.fits import fit_alone

        return fit_alone(training, self)


class S2net(Contrasted):
    """S2Net (Yih, Toutanova, Platt and Meek 2011), as compared with XCNN by Gupta et al. 2017.

    One linear network for all languages, y = x W with x the weights of words: documents of a
    concept are to be nearer to each other than to another document. Starts from OPCA, as published,
    or at random.
    """

    title = "S2Net"
    reference = "Yih, Toutanova, Platt and Meek, CoNLL 2011; Gupta, Banchs and Rosso, IP&M 2017"
    needs = ("counts",)

    max_words: PositiveInt = 20_000
    """Strings kept of the others, the most frequent ones."""
    weights: Literal["paper", "given"] = "paper"
    """log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix."""
    merged: bool = True
    """Whether a string of all languages is one column."""
    start: Literal["opca", "random"] = "opca"
    """Of the network."""
    epochs: PositiveInt = 50
    """At most."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train the network on all pairs of documents of a concept, in both directions."""
        from cr5.systems.networks.fits import fit_s2net

        return fit_s2net(training, self)


class Bae(System):
    """BAE, the bilingual autoencoder, as compared with XCNN (Gupta, Banchs and Rosso 2017, 3.3).

    The counts of a concept's documents side by side, in any number of languages, are encoded by
    restricted Boltzmann machines, trained one on the other, then unrolled and fine-tuned to give
    the counts back. The code is the highest layer; a document is encoded with all other languages'
    words at zero.
    """

    title = "BAE"
    reference = "Gupta, Banchs and Rosso, IP&M 2017"
    cost = (1, 24)
    without_counts = None  # its units are counts of words
    needs = ("counts",)

    widths: Some[PositiveInt] = (500, 250, 128)
    """Units of each layer, the last one of the model."""
    skip_words: NonNegativeInt = 0
    """Most frequent words of each language that are dropped."""
    max_words: PositiveInt = 10_000
    """Words kept of the others in each language."""
    blanked: bool = False
    """Whether it is also fine-tuned to complete the words of one language."""
    stack_epochs: PositiveInt = 20
    """Of each machine."""
    epochs: Some[NonNegativeInt] = (5, 10, 20)
    """Of fine-tuning; validated, from one run."""
    batch: PositiveInt = 50
    """Concepts of each step."""
    rates: Some[PositiveFloat] = (0.003,)
    """Learning rates of Adam; several are validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Train the machines, then fine-tune; keep the rate and the epochs that validate best."""
        from cr5.fitting.choose import best
        from cr5.systems.networks.boltzmann import fits

        return best(training, fits(training, self))
