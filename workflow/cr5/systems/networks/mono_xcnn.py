"""Mono-XCNN: XCNN's first stage in each language, for search within a language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cr5.systems.networks.family import Monolingual

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class MonoXcnn(Monolingual):
    """Mono-XCNN (Gupta, Banchs and Rosso 2017, section 5.3): XCNN's first stage in each language.

    For search within a language. The networks know nothing of each other: across languages it finds
    nothing.
    """

    title = "mono-XCNN"

    def fit(self, training: TrainingSet) -> Fit:
        """Train the network of each language on its texts alone."""
        from cr5.systems.networks import trained

        columns = trained.columns_by_language(training, self)
        networks = {
            language: trained.train_stage1(training, language, columns[language], self)
            for language in training.languages
        }
        return trained.fit_of(training, columns, networks)
