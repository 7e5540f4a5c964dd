"""BAE: the bilingual autoencoder."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from cr5.base.parts import Some, System

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.systems.networks.composition import Arrays
    from cr5.systems.projections.columns import Columns


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

    @property
    def needs(self) -> tuple[str, ...]:
        """Counts."""
        return ("counts",)

    def fit(self, training: TrainingSet) -> Fit:
        """Train the machines, then fine-tune; keep the rate and the epochs that validate best.

        Raises:
            UserError: no word is left.
        """
        from cr5.fitting.best import best
        from cr5.systems.projections.columns import ColumnSettings, columns

        kept = ColumnSettings(self.skip_words, self.max_words, False, weighted=False)
        chosen = columns(training.words, training.counts, kept)
        fits = (self._fits(training, chosen, rate) for rate in self.rates)
        return best(training, chain.from_iterable(fits))

    def _fits(self, training: TrainingSet, chosen: Columns, rate: float) -> Iterator[Fit]:
        """Yield a fit after each of the numbers of epochs, with a learning rate."""
        from cr5.fitting.contract import Fit
        from cr5.systems.networks.bilingual import blanked, model_of
        from cr5.systems.networks.boltzmann import reconstruction, run_epoch, stacked, unrolled
        from cr5.systems.networks.optimisers import Adam
        from cr5.systems.projections.documents import of_concepts

        generator = np.random.default_rng(training.seed)
        X = of_concepts(training, chosen).Z.astype(np.float32)

        def run(machine: Arrays, loss: Any) -> None:
            how = Adam(machine, rate)
            for _ in range(self.stack_epochs):
                run_epoch(machine, how, loss, X.shape[0], self.batch, generator)

        parameters = unrolled(stacked(X, self.widths, run, generator))
        given, wanted = blanked(X, training, chosen) if self.blanked else (X, X)

        def loss(rows: np.ndarray) -> Any:
            return reconstruction(given[rows], wanted[rows])

        how, losses = Adam(parameters, rate), []
        for epoch in range(max(self.epochs) + 1):
            if epoch:
                about = given.shape[0], self.batch, generator
                losses.append(run_epoch(parameters, how, loss, *about))
            if epoch in self.epochs:
                model = model_of(training, chosen, parameters, len(self.widths))
                yield Fit(model, {"losses": list(losses)}, {"rate": rate, "epochs": epoch})
