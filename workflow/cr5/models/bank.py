"""Training documents that a model keeps: by them hubs are known without any query.

A single query is then corrected by CSLS as thousands are, and each candidate once. Bogolin et al.
(Cross Modal Retrieval with Querybank Normalisation, CVPR 2022) do so with the training queries.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import HybridRows, Rows, parts_of
from cr5.contracts.model import Model
from cr5.search.measures import MEASURES

DENSE = "dense"
SPARSE = "sparse"


def with_bank(model: Model, given: Mapping[str, Any]) -> Model:
    """Return the model with the vectors of its training documents, given as `embed` takes them.

    A model whose rows no measure corrects is returned as it is.
    """
    if not any(
        measure.corrects_hubs and measure.fits(model.measures) for measure in MEASURES.values()
    ):
        return model
    bank = {}
    for language, documents in given.items():
        n_documents = documents.shape[0] if sparse.issparse(documents) else len(documents)
        if n_documents:
            bank[language] = _embedded(model, documents, language)
    return replace(model, bank=bank)


def neighbours(model: Model, language: str, target_language: str | None = None) -> Rows:
    """Return the training documents of a language, n x r, float32, as embedded towards another."""
    stored = (model.bank or {}).get(language)
    if stored is None:
        raise UserError(
            f"the model keeps no training documents of {language!r}: fit it with `evaluation: "
            "{csls_neighbourhood: training}`, or choose another neighbourhood or measure"
        )
    if model.directed:
        stored = stored[target_language]
    parts = {name: part.astype(np.float32) for name, part in stored.items()}
    if len(parts) == 2:
        return HybridRows(parts[DENSE], parts[SPARSE])
    [part] = parts.values()
    return part


def _embedded(model: Model, documents: Any, language: str) -> dict[str, Any]:
    """Return the rows of documents; of a directed model, by target language."""
    if not model.directed:
        return _stored(model.embed(documents, language))
    return {to: _stored(model.embed(documents, language, to)) for to in model.words}


def _stored(rows: Rows) -> dict[str, np.ndarray | sparse.csr_matrix]:
    """Split rows into what a model's file can hold; products of sparse float16 do not exist."""
    parts = {}
    for part in parts_of(rows):
        if sparse.issparse(part):
            parts[SPARSE] = part
        else:
            parts[DENSE] = part.astype(np.float16)
    return parts
