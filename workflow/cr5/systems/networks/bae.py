"""BAE: an autoencoder of the documents of a concept side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from cr5.contracts.keys import Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


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
