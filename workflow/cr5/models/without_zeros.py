"""A model with fewer words: those that have a vector, or the most informative ones."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import norms
from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import DirectedWordTables, WordTables


def pruned(model: Model, n: int) -> Model:
    """Keep n words of each language, in order.

    Kept are the words whose contribution to documents has the largest root mean square:
    sqrt(share of documents with the word) x weight x length of its vector. The share is derived
    from an idf w = ln(1 / share) + 1 as exp(1 - w), at most 1, so words with the same weight are
    ordered by the length of their vectors alone. In joined tables the dense ones decide: in sparse
    tables of spelling all words have about the same length.

    Args:
        model: word tables, dense or joined, not directed.
        n: how many words of each language; all if there are fewer.

    Raises:
        UserError: the model is of another kind, or no word would be left.
    """
    if not isinstance(model, WordTables) or isinstance(model, DirectedWordTables):
        raise UserError(
            "words can be left out of a model only where each has one vector: not of a directed "
            "one, nor of one that is no table of vectors"
        )
    if any(map(sparse.issparse, model.tables.values())):
        raise UserError("this model has only sparse tables, which are small: keep all its words")
    if n < 1:
        raise UserError(f"expected one word or more to keep, found {n}")
    return _with_rows(model, {x: _kept(usefulness(model, x), n) for x in model.words})


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


def usefulness(model: WordTables, language: str) -> np.ndarray:
    """The contribution of each word to documents, (words,)."""
    w = np.asarray(model.weights[language], np.float64)
    share = np.exp(np.minimum(1 - w, 0))
    return np.sqrt(share) * np.abs(w) * norms(model.tables[language], "l2")


def _by_word(model: WordTables) -> tuple[str, ...]:
    """Fields with an entry for each word."""
    both = ("tables", "weights")
    return (*both, "beside", "beside_weights") if isinstance(model, JoinedTables) else both


def _kept(scores: np.ndarray, n: int) -> np.ndarray:
    """Positions of the n highest, ascending; in ties the first."""
    return np.sort(np.argsort(-scores, kind="stable")[:n])
