"""What systems of Cr5's family have in common; light, as plans read it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from cr5.base.parts import Some, System

TermFrequency = Literal["raw", "log", "sqrt", "binary"]
Scripts = Literal["own", "auto", "latin", "sounds", "consonants"]


class Solved(System):
    """Fits by Cr5's solver (Josifoski et al. 2019, Sec. 3)."""

    solver: Literal["auto", "dense", "iterative"] = "auto"
    """`dense` holds a matrix of all documents; `iterative` is for large corpora."""
    tolerance: Literal["paper"] | Annotated[float, Field(gt=0, lt=1)] = "paper"
    """Of `iterative`: residuals ||M p - mu p|| relative to mu; `paper` is 0.1."""
    max_iterations: PositiveInt = 250
    """Of `iterative`: steps of the eigensolver."""
    cg_iterations: PositiveInt = 500
    """Of `iterative`: steps of each linear system."""


class Spelled(Solved):
    """Fits with a prior over words, and what is chosen among variants of each fit."""

    ranks: Some[PositiveInt] = (100, 300)
    """Numbers of dimensions; validated, with ridges and shifts."""
    ridges: Some[PositiveFloat] = (0.03, 0.1, 0.3, 1.0, 3.0)
    """Lambda; each is one fit."""
    shifts: Some[bool] = (False, True)
    """Whether the mean of the language's training documents is added to a document."""
    gamma: PositiveFloat = 1.0
    """Weight of the prior."""
    gammas: PositiveFloat | Some[PositiveFloat] | None = None
    """Other weights, each one fit at the best ridge; with them the weight is validated too."""
    dictionary_weights: PositiveFloat | Some[PositiveFloat] | None = None
    """Of the section `dictionary` in the prior, to choose from, beside leaving it out."""
    scripts: Scripts = "own"
    """How words are written before their spelling is compared."""
    scaling: NonNegativeFloat = 1.0
    """Power of the eigenvalues by which dimensions are scaled."""
    string_weights: Some[NonNegativeFloat] = (0.0,)
    """Beta: cosine plus beta times that of beginnings of words; validated after all else."""
    letters: PositiveInt = 5
    """Length of the beginnings of words."""
    term_frequency: TermFrequency | None = "log"
    """How counts enter the features; null: as `weighting.term_frequency` says."""
