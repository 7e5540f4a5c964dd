"""Networks that learn to retrieve by contrast: the keys that they share."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from cr5.contracts.system import System


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
