"""Crosslingual document retrieval: Cr5, its baselines and one evaluation for all of them.

import cr5
model = cr5.load("results/libreoffice_help")
model.similarity("Insert a table", "en", ["Inserire una tabella"], "it")
"""

from typing import Any

__version__ = "0.1.0"

OFFERED = {
    "fit": "cr5.from_texts",
    "load": "cr5.retrieval.loading",
    "why": "cr5.retrieval.embedder",
    "align": "cr5.retrieval.alignment",
    "Index": "cr5.retrieval.index",
    "open_index": "cr5.retrieval.opening",
    "Embedder": "cr5.retrieval.embedder",
    "UserError": "cr5.base.errors",
}


def __getattr__(name: str) -> Any:
    """Import what is offered here when it is asked for: most who import this package do not."""
    if name not in OFFERED:
        raise AttributeError(f"module 'cr5' has no attribute {name!r}")
    from importlib import import_module

    from cr5.base.errors import needed

    with needed("fit"):
        return getattr(import_module(OFFERED[name]), name)
