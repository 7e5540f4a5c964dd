"""A model with those words alone that have a vector."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import DirectedWordTables, WordTables


def without_zeros(model: Model) -> Model:
    """Leave out words of zero vectors, of which the model has learned nothing.

    A model is returned as it is if all words have a vector, or if it has other tables than one
    dense one per language.
    """
    if not isinstance(model, WordTables) or isinstance(model, DirectedWordTables | JoinedTables):
        return model
    if any(map(sparse.issparse, model.tables.values())):
        return model
    rows = {x: np.flatnonzero(np.any(table, axis=1)) for x, table in model.tables.items()}
    if all(len(rows[x]) == len(words) for x, words in model.words.items()):
        return model
    return _with_rows(model, rows)


def _with_rows(model: WordTables, rows: dict[str, np.ndarray]) -> WordTables:
    changed: dict[str, Any] = {
        name: {x: part[rows[x]] for x, part in getattr(model, name).items()}
        for name in _by_word(model)
    }
    words = {x: [model.words[x][row] for row in kept] for x, kept in rows.items()}
    return replace(model, words=words, **changed)


def _by_word(model: WordTables) -> tuple[str, ...]:
    """Fields with an entry for each word."""
    both = ("tables", "weights")
    return (*both, "beside", "beside_weights") if isinstance(model, JoinedTables) else both
