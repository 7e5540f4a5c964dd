"""Random indexing: concepts have random vectors, a word is the sum over its documents."""

import numpy as np
from pydantic import PositiveInt

from cr5.contracts.system import System
from cr5.contracts.training import Fit
from cr5.models.word_tables import WordTables


class RandomIndexing(System):
    """Concepts have random vectors, words are sums (Sahlgren and Karlgren 2005)."""

    title = "Random indexing"

    dimension: PositiveInt = 1000
    """Of the vectors; the more, the less chance there is in what documents have in common."""

    def fit(self, training):
        """Return a table of word vectors per language."""
        generator = np.random.default_rng(training.seed)
        vectors_of_concepts = generator.normal(size=(training.n_concepts, self.dimension))
        tables = {}
        for language, X in training.features.items():
            vectors_of_documents = vectors_of_concepts[training.concepts[language]]
            tables[language] = X.T @ vectors_of_documents
        return Fit(WordTables.of(training, tables))
