"""Prefix overlap: beginnings of words in common, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import PositiveInt

from cr5.contracts.system import System
from cr5.systems.algebra.scripts import Scripts

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class PrefixOverlap(System):
    """Strings alone: documents are compared by the beginnings of words that languages share.

    Names, numbers written as words and loans begin alike in many languages, whatever their endings
    and accents; in different scripts they may sound alike (`systems.algebra.scripts`). Nothing is
    fitted: only the frequency of a beginning comes from training documents. On biographies,
    where names suffice, this finds more than any system that learns; it is in the tables so that
    shared names are not mistaken for learning. `lexical_overlap` is simpler: whole words, and
    tf-idf.
    """

    title = "Prefix overlap"
    cost = (0.5, 0.5)
    colour = "#8A8A8A"

    letters: PositiveInt = 5
    """Of the beginning of a word."""
    scripts: Scripts = "own"
    """How words are written before their beginnings are compared."""

    def fit(self, training: TrainingSet) -> Fit:
        """Count beginnings; see `cr5.systems.algebra.beginnings.beside`."""
        from cr5.contracts.training import Fit
        from cr5.models.word_tables import WordTables
        from cr5.systems.algebra.beginnings import beside
        from cr5.systems.algebra.scripts import compared

        words = compared(training.words, self.scripts)
        strings = beside(words, training.features, self.letters, training.fallbacks)
        tables, weights, frequency = strings.values()
        model = WordTables(training.words, tables, weights, term_frequency=frequency)
        n_beginnings = next(iter(tables.values())).shape[1]
        return Fit(model, {"strings": n_beginnings})
