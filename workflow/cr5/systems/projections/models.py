"""Documents projected onto the leading eigenvectors of a pencil, and CL-ESA: keys and texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from cr5.base.parts import Some, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Projected(System):
    """Documents are projected onto the leading eigenvectors of a pencil of matrices.

    `fits.pencil_of` has the pencil of each. Those with a key `merged` may have one column for a
    string of several languages, those with `gammas` regularise.
    """

    needs = ("counts",)
    without_counts: ClassVar = {"weights": "given"}
    power: ClassVar[float] = 0.0  # of the eigenvalues that scale the dimensions
    pencil: ClassVar[Literal["lsi", "lsi of unit columns", "opca", "cca"]] = "lsi"

    # validation chooses; the paper's grid is unknown
    dimensions: Some[PositiveInt] = (50, 100, 200, 500, 1000, 2000)
    """Validated, all from one solution."""
    skip_words: NonNegativeInt = 50
    """Most frequent strings that are dropped."""
    max_words: PositiveInt = 20000
    """Strings kept of the others, the most frequent ones."""
    weights: Literal["paper", "given"] = "paper"
    """By log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix."""
    unit_rows: bool = False
    """Whether rows have length one before they are fitted."""

    def fit(self, training: TrainingSet) -> Fit:
        """Solve once for each gamma; keep the gamma and the dimensions that validate best."""
        from cr5.systems.projections.fits import fit

        return fit(training, self)


class ClLsi(Projected):
    """CL-LSI (Dumais et al. 1997), as in Platt, Toutanova, Yih 2010 (Eq. 1-5).

    The documents of a concept are counted as one, in any number of languages. The leading right
    singular vectors of these rows, which are not centred, are the projection; y = V'x, not divided
    by singular values.
    """

    title = "CL-LSI"
    reference = "Dumais, Letsche, Littman and Landauer, 1997; Platt et al., EMNLP 2010"

    merged: bool = True
    """Whether a string of all languages is one column."""


class Opca(Projected):
    """Oriented PCA on documents (Platt, Toutanova, Yih 2010, section 2.2; Eq. 7, 9-11).

    The directions in which documents vary most, relative to the differences within a concept. For
    two or more languages; a concept's missing documents are left out of its mean.
    """

    title = "OPCA"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    cost = (1, 8)  # a fit for each number of dimensions
    colour = "#8C510A"
    pencil = "opca"

    merged: bool = True
    """Whether a string of all languages is one column."""
    # tuned by the authors on both corpora, used in all tests
    gammas: Some[PositiveFloat] = (0.1,)
    """Regularisation; several are validated."""


class DocumentCca(Projected):
    """Regularised CCA on documents (Platt, Toutanova, Yih 2010, section 2.3; Eq. 12, 13).

    The directions of each language along which the documents of a concept vary together most,
    relative to how much they vary. Columns are separate, even for strings that languages share. For
    more than two languages the covariances of all pairs are added up (over the concepts that both
    have), which the paper does not specify. The system `word_cca` is unrelated: it maps word
    vectors.
    """

    title = "CCA (documents)"
    reference = "Platt, Toutanova and Yih, EMNLP 2010"
    pencil = "cca"

    # the authors' for Europarl; for Wikipedia 3
    gammas: Some[PositiveFloat] = (10.0,)
    """Regularisation; several are validated."""


class Sogaard(Projected):
    """Inverted indexing (Søgaard, Agić, Martínez Alonso, Plank, Bohnet and Johannsen, ACL 2015).

    A word is described by the concepts in whose documents it occurs, which are the same for the
    words of all languages, and these descriptions are reduced by a singular value decomposition.
    With D the documents of each concept (concepts x words), a column for each word and language,
    scaled to length one: D = U S V', and the vectors of words are the rows of V S.

    `cl_lsi` decomposes the same documents, but its columns keep their lengths, so that it is about
    frequent words, and it takes V without S.
    """

    title = "Inverted indexing"
    reference = "Søgaard et al., ACL 2015"
    power = 0.5  # the eigenvalues of D'D are those of S, squared
    pencil = "lsi of unit columns"


class ClEsa(System):
    """Cross-lingual explicit semantic analysis (Potthast et al. 2008; Sorg and Cimiano 2008, 2012).

    A document is described by how similar it is to the training document of each concept in its own
    language: z = x D' for the documents D of that language, rows of unit length, one for each
    concept. The concepts are the same in all languages, so z needs no translation. As published, a
    concept that lacks a document in any of the languages is no dimension.

    The papers keep the strongest 10,000 dimensions of a document. What a word adds is cut here
    instead, as in the index of Gabrilovich and Markovitch (2007), so that a document is the sum of
    its words.
    """

    title = "CL-ESA"
    reference = "Potthast, Stein and Anderka, ECIR 2008; Sorg and Cimiano, CLEF 2008"
    cost = (0.5, 0.5)

    keep: Some[PositiveInt | None] = (None, 1000, 100, 30, 10, 3)
    """Concepts kept for each word, those where it weighs most; null: all; validated."""

    def fit(self, training: TrainingSet) -> Fit:
        """Index the training documents by word, and validate how many concepts are kept."""
        from cr5.systems.projections.fits import cl_esa

        return cl_esa(training, self)
