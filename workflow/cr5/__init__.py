"""Crosslingual document retrieval: Cr5, its baselines and one evaluation for all of them.

import cr5
model = cr5.load("results/libreoffice_help")
model.compare("Insert a table", "en", ["Inserire una tabella"], "it")
"""

from importlib import import_module
from typing import Any

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
    # systems, for `cr5.fit(texts, Cr5(rank=100))`
    "AdvRefine": "cr5.systems.maps.advrefine",
    "Bae": "cr5.systems.networks.bae",
    "Best": "cr5.systems.ridge.best",
    "Bm25": "cr5.systems.baselines.bm25",
    "Bm25Translated": "cr5.systems.baselines.bm25_translated",
    "Bwesg": "cr5.systems.baselines.bwesg",
    "ClEsa": "cr5.systems.projections.cl_esa",
    "ClLsi": "cr5.systems.projections.cl_lsi",
    "Cplsa": "cr5.systems.topics.cplsa",
    "Cr5": "cr5.systems.ridge.cr5",
    "Cr5Spelling": "cr5.systems.ridge.cr5_spelling",
    "DocumentCca": "cr5.systems.projections.document_cca",
    "E5Small": "cr5.systems.encoders.e5_small",
    "Encoder": "cr5.systems.encoders.encoder",
    "Icp": "cr5.systems.maps.icp",
    "Jplsa": "cr5.systems.topics.jplsa",
    "LeastSquares": "cr5.systems.maps.least_squares",
    "LexicalOverlap": "cr5.systems.baselines.lexical_overlap",
    "MonoXcnn": "cr5.systems.networks.mono_xcnn",
    "Multicca": "cr5.systems.maps.multicca",
    "Opca": "cr5.systems.projections.opca",
    "Pltm": "cr5.systems.topics.pltm",
    "PrefixOverlap": "cr5.systems.baselines.prefix_overlap",
    "Pretrained": "cr5.systems.encoders.pretrained",
    "Procrustes": "cr5.systems.maps.procrustes",
    "Rcsls": "cr5.systems.maps.rcsls",
    "S2net": "cr5.systems.networks.s2net",
    "Sogaard": "cr5.systems.projections.sogaard",
    "UseMultilingual": "cr5.systems.encoders.use_multilingual",
    "VecmapSelfLearning": "cr5.systems.maps.vecmap_self_learning",
    "VecmapSupervised": "cr5.systems.maps.vecmap_supervised",
    "VecmapUnsupervised": "cr5.systems.maps.vecmap_unsupervised",
    "Wasserstein": "cr5.systems.maps.wasserstein",
    "WordByWord": "cr5.systems.baselines.word_by_word",
    "WordCca": "cr5.systems.maps.word_cca",
    "Xcnn": "cr5.systems.networks.xcnn",
}
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
