"""What the page needs of a model to embed typed words."""

from typing import Any

import numpy as np
from scipy import sparse

from cr5.counts.tokens import Tokens, tokenise
from cr5.explore import encoded
from cr5.models.contract import Model
from cr5.models.joined_tables import JoinedTables
from cr5.models.word_tables import WordTables
from cr5.search.measures import measure


def reason_without(model: Model, tokens: Tokens = tokenise) -> str | None:
    """Say why the page cannot embed with a model; None if it can."""
    if tokens != tokenise:
        return "its words are not runs of letters in lower case"
    if model.directed:
        return "its vectors depend on the language that is searched"
    if type(model) not in (WordTables, JoinedTables):
        return "its vectors are not sums over words"
    if measure(model.measures[0]).kernel != "product":
        return f"it compares texts by {model.measures[0]}, which is no sum over words"
    return None


def layers(model: WordTables) -> list[dict[str, Any]]:
    """Describe how each part of a document's row is made: the dense one and those beside it."""
    found = [
        {
            "frequency": model.term_frequency,
            "inputNorm": model.input_norm,
            "norm": model.norm,
            "factor": 1.0,
        }
    ]
    if isinstance(model, JoinedTables):
        beside = {"frequency": model.beside_term_frequency, "inputNorm": "none", "norm": "l2"}
        found.append({**beside, "factor": model.beta**0.5})
    return found


def tables(model: WordTables, language: str, n: int) -> list[dict[str, Any]]:
    """Return each layer's tables: vectors and weights of the first n words."""
    found = [_table(model.tables[language], model.weights[language], n)]
    if model.offsets is not None:
        found[0]["offset"] = encoded.array(np.asarray(model.offsets[language], np.float32))
    if isinstance(model, JoinedTables):
        found.append(_table(model.beside[language], model.beside_weights[language], n))
    return found


def _table(rows: np.ndarray | sparse.csr_matrix, weights: np.ndarray, n: int) -> dict[str, Any]:
    kind = "sparse" if sparse.issparse(rows) else "dense"
    content = encoded.matrix(rows[:n], np.float32) if kind == "sparse" else encoded.table(rows[:n])
    return {kind: content, "weights": encoded.array(np.asarray(weights[:n], np.float32))}
