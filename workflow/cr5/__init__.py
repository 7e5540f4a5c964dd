"""Crosslingual document retrieval: Cr5, its baselines and one evaluation for all of them.

import cr5
model = cr5.load("results/libreoffice_help")
model.compare("Insert a table", "en", ["Inserire una tabella"], "it")
"""

from importlib import import_module
from typing import Any

from cr5.contracts.names import SYSTEMS

__version__ = "1.0.0"

# What is offered here, and the module that has it. Type checkers read `__init__.pyi`.
OFFERED = {
    "fit": "cr5.from_texts",
    "load": "cr5.retrieval.loading",
    "open_index": "cr5.retrieval.opening",
    "Embedder": "cr5.retrieval.embedder",
    "Index": "cr5.retrieval.index",
    "Hit": "cr5.retrieval.hits",
    "Why": "cr5.retrieval.why",
    "Pair": "cr5.retrieval.alignment",
    "UserError": "cr5.base.errors",
    "System": "cr5.contracts.system",
    "Fit": "cr5.contracts.training",
    "TrainingSet": "cr5.contracts.training",
    "Source": "cr5.contracts.source",
    "Task": "cr5.contracts.task",
    "Model": "cr5.contracts.model",
    "TextModel": "cr5.contracts.model",
    "WordTables": "cr5.models.word_tables",
}
for _place in SYSTEMS.values():  # for `cr5.fit(texts, Cr5(rank=100))`
    _module, _, _class_name = _place.partition(":")
    OFFERED[_class_name] = f"cr5.systems.{_module}"
__all__ = list(OFFERED)


def __getattr__(name: str) -> Any:
    """Import what is offered here when it is asked for: most who import this package do not."""
    if name not in OFFERED:
        raise AttributeError(f"module 'cr5' has no attribute {name!r}")
    needed = import_module("cr5.base.errors").needed
    with needed("fit"):
        return getattr(import_module(OFFERED[name]), name)


def __dir__() -> list[str]:
    """Name what is offered, too, for those who look around."""
    return sorted(set(globals()) | set(OFFERED))
