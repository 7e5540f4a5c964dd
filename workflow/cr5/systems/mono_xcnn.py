"""Mono-XCNN: XCNN's first stage in each language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.networks.family import Monolingual

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class MonoXcnn(Monolingual):
    """Mono-XCNN (Gupta, Banchs and Rosso 2017, section 5.3): XCNN's first stage in each language.

    For search within a language. The networks know nothing of each other: across languages it finds
    nothing.
    """

    title = "mono-XCNN"
    reference = "Gupta, Banchs and Rosso, IP&M 2017"
    cost = (1, 8)

    def fit(self, training: TrainingSet) -> Fit:
        """Train the network of each language on its texts alone.

        Raises:
            UserError: no word is left.
        """
        from cr5.systems.networks.monolingual import fit_of, stage1, words_of

        chosen = {x: words_of(training, x, self) for x in training.languages}
        fitted = {x: stage1(training, x, chosen[x], self) for x in training.languages}
        vectors = {x: V for x, (V, _) in fitted.items()}
        reports = {x: report for x, (_, report) in fitted.items()}
        return fit_of(training, chosen, vectors, reports)
