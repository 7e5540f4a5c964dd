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
from cr5.models.contract import Model
from cr5.search.measures import MEASURES


def with_bank(model: Model, given: Mapping[str, Any]) -> Model:
    """Return the model with the vectors of its training documents, given as `embed` takes them.

    A model whose rows no measure corrects is returned as it is.
    """
    if not any(x.corrects_hubs and x.fits(model.measures) for x in MEASURES.values()):
        return model
    numbers = {
        x: each.shape[0] if sparse.issparse(each) else len(each) for x, each in given.items()
    }
    return replace(model, bank={x: _embedded(model, given[x], x) for x, n in numbers.items() if n})


def neighbours(model: Model, language: str, target_language: str) -> Rows:
    """Return the training documents of a language, n x r, float32, as embedded towards another."""
    stored = (model.bank or {}).get(language)
    if stored is None:
        raise UserError(
            f"the model keeps no training documents of {language!r}: fit it with `evaluation: "
            "{csls_neighbourhood: training}`, or choose another neighbourhood"
        )
    stored = stored[target_language] if model.directed else stored
    parts = [stored[name].astype(np.float32) for name in ("dense", "sparse") if name in stored]
    return HybridRows(*parts) if len(parts) == 2 else parts[0]


def _embedded(model: Model, given: Any, language: str) -> dict[str, Any]:
    if not model.directed:
        return _stored(model.embed(given, language))
    return {x: _stored(model.embed(given, language, x)) for x in model.words}


def _stored(rows: Rows) -> dict[str, np.ndarray | sparse.csr_matrix]:
    """Split rows into what a model's file can hold; products of sparse float16 do not exist."""
    found = {}
    for part in parts_of(rows):
        is_sparse = sparse.issparse(part)
        found["sparse" if is_sparse else "dense"] = part if is_sparse else part.astype(np.float16)
    return found
