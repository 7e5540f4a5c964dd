"""Cr5 and what grew from it: their keys and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt

from cr5.base.parts import Some, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet

TermFrequency = Literal["raw", "log", "sqrt", "binary"]
Scripts = Literal["own", "latin", "sounds"]


class Cr5(System):
    """Reduced-rank ridge regression onto concepts (Josifoski et al., WSDM 2019, Eq. 1 to 15)."""

    title = "Cr5"
    reference = "Josifoski, Paskov, Paskov, Jaggi and West, WSDM 2019"
    colour = "#0072B2"

    rank: PositiveInt = 300
    """Dimensions of the model, or as many as the data have."""
    ranks: Some[PositiveInt] | None = None
    """Other ranks, from the same fits; with them the rank is validated too."""
    # The authors tried 0.5 to 6 on hundreds of thousands of concepts. Fewer training documents
    # have smaller singular values, so the grid goes lower; its steps are factors of 2.4 to 3.3.
    ridges: Some[PositiveFloat] = (0.01, 0.03, 0.1, 0.3, 1.0, 2.5, 6.0)
    """Lambda; the one that ranks the validation queries best is kept."""
    term_frequency: TermFrequency | None = None
    """How counts enter the features; null: as `weighting.term_frequency` says."""
    # By default .04 to .09 are left (measured).
    tolerance: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Share of the right-hand sides of Eq. 14 that conjugate gradients leave, where a problem is
    not solved exactly; 0.01 in the paper. Null: 0.4 of what the eigenvectors leave."""

    def fit(self, training: TrainingSet) -> Fit:
        """Fit every ridge of the grid, and each rank from the same solution."""
        from cr5.systems.cr5.fits import fit_cr5

        return fit_cr5(training, self)


class Cr5Spelling(System):
    """Cr5 with a prior over spellings: words that are spelt alike get similar vectors.

    Cr5's regression on log term frequencies, with three changes. The prior of the word vectors is
    not I but (I + gamma N N') / (1 + gamma), where N has the beginnings of words, in one language
    or in two (`cr5.systems.cr5.spelling`): a word learns from similar words, and a rare one from
    more than its few documents. Words of different scripts may be compared by their sounds, in
    Latin letters. Where a dictionary is given, words that it pairs may get similar vectors too. The
    output is scaled by the eigenvalues, Phi' diag(mu), instead of Eq. 15, which amplifies very weak
    directions. And the mean of the language's training documents may be added to a document, if
    that validates better.

    A word that no training document has gets what the prior says of it, if the dictionary has it,
    or else of its beginning: entries for such words follow the words of the model
    (`cr5.counts.columns`).

    Besides what was learned, the beginnings of words may count, as in `prefix_overlap`: cosine plus
    beta times the cosine of beginnings. If names distinguish documents, this finds more than either
    alone; validation chooses their weight, possibly 0.
    """

    title = "Cr5 + spelling"
    colour = "#CC79A7"
    needs = ("seeds",)  # pairs of words, if a dictionary is given

    ranks: Some[PositiveInt] = (100, 300)
    """Numbers of dimensions; validated, with ridges and the languages' means."""
    ridges: Some[PositiveFloat] = (0.03, 0.1, 0.3, 1.0, 3.0)
    """Lambda; each is one fit."""
    gammas: Some[PositiveFloat] | None = None
    """Weights of the prior beside 1, each one fit at the best ridge; validated."""
    dictionary_weights: Some[PositiveFloat] | None = None
    """Of the section `dictionary` in the prior, to choose from, beside leaving it out."""
    scripts: Scripts = "own"
    """How words are written before their spelling is compared."""
    string_weights: Some[NonNegativeFloat] = (0.0,)
    """Beta: cosine plus beta times that of beginnings of words; validated after all else."""
    term_frequency: TermFrequency | None = "log"
    """How counts enter the features; null: as `weighting.term_frequency` says."""

    def fit(self, training: TrainingSet) -> Fit:
        """Make the prior from the words' spelling; choose ridge, rank and shift, then the others.

        Of equal fits the larger ridge, the smaller rank and no shift are kept.
        """
        from cr5.systems.cr5.fits import fit_spelling

        return fit_spelling(training, self)


# What `best` chooses from; ridges beyond these follow where validation wants them.
CHOICES = Cr5Spelling(
    ranks=(300,),
    ridges=(0.3, 1.0),
    gammas=(3.0,),
    dictionary_weights=(1.0, 3.0),
    string_weights=(0, 0.25, 0.5, 1, 2, 4),
)


class Best(System):
    """The best of this package, with nothing to set: validation chooses what the corpus needs.

    It is `cr5_spelling`, with the choices that it leaves to the user made on validation queries:
    how strong the prior is, how much a dictionary counts in it (if the configuration has one), how
    much the beginnings of words count beside what is learned, and how much the matches of words
    count in a second stage of the search.
    """

    title = "Best"
    colour = "#56B4E9"
    needs = ("seeds",)

    term_frequency: Literal["log"] = "log"
    """How counts enter the features; not a choice."""

    def fit(self, training: TrainingSet) -> Fit:
        """Choose by validation queries, one after the other, and say what was chosen."""
        from cr5.systems.cr5.fits import fit_best

        return fit_best(training, CHOICES)
