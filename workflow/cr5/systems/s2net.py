"""S2Net (Yih, Toutanova, Platt and Meek 2011), as compared with XCNN by Gupta et al. 2017.

One linear network for all languages, y = x W with x the weights of words: documents of a concept
are to be nearer to each other than to another document. Starts from OPCA, as published, or at
random.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cr5.base.errors import LeftOutError
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.networks.composition import random_start
from cr5.systems.networks.monolingual import model_of
from cr5.systems.networks.starts import projected
from cr5.systems.networks.training import OPTIONS as TRAINING
from cr5.systems.networks.training import Pairs, hold_out, train
from cr5.systems.projections import linear, pencils
from cr5.systems.projections.documents import Documents, of_documents, same_concept

TITLE = "S2Net"
REFERENCE = "Yih, Toutanova, Platt and Meek, CoNLL 2011; Gupta, Banchs and Rosso, IP&M 2017"
COST = (1, 8)
NEEDS = ("counts",)
WITHOUT_COUNTS = {"weights": "given"}

OPTIONS = {
    "dimension": (128, {"ge": 1}, "of the model, or as many as the documents allow"),
    "skip_words": (0, {"ge": 0}, "most frequent strings that are dropped"),
    "max_words": (20000, {"ge": 1}, "strings kept of the others, the most frequent ones"),
    "weights": (
        "paper",
        ("paper", "given"),
        "log2(1 + count) log2(n / df); or documents as they are, such as rows of a matrix",
    ),
    "merged": (True, "whether a string of all languages is one column"),
    "start": ("opca", ("opca", "random"), "of the network"),
    "gamma": (0.1, {"gt": 0}, "of OPCA"),
    "spread": (0.1, {"gt": 0}, "standard deviation of the start"),
    "epochs": (50, {"ge": 1}, "at most"),
    **TRAINING,
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Train the network on all pairs of documents of a concept, in both directions.

    Raises:
        LeftOutError: no two documents in different languages have a concept in common; or they are
            too few, or too similar, for OPCA.
        UserError: no word is left, or gamma is too small.
    """
    chosen = linear.columns_of(training, options, options["merged"])
    documents = of_documents(training, chosen)
    queries, answers = translations(documents)
    X, concepts = documents.Z.astype(np.float32), documents.concept[queries]
    pairs = Pairs(X, queries, answers, groups=concepts)
    if not len(pairs.queries):
        raise LeftOutError("no concept has training documents in two languages")
    generator = np.random.default_rng(training.seed)
    held, kept = hold_out(pairs, options["held_out"], generator)
    seen = documents.without(held.groups)
    W, facts = _start(seen, training.threads, options, generator)
    report = facts | train([W], held, kept, options["epochs"], options, generator)
    everywhere = dict.fromkeys(training.languages, chosen)
    return Fit(model_of(training, everywhere, dict.fromkeys(everywhere, W)), report)


def translations(documents: Documents) -> tuple[np.ndarray, np.ndarray]:
    """The rows of all pairs of documents of one concept in two languages, in both directions."""
    one, other = same_concept(documents.concept, documents.concept)
    across = documents.language[one] != documents.language[other]
    return one[across], other[across]


def _start(
    documents: Documents, threads: int, options: Mapping[str, Any], generator: np.random.Generator
) -> tuple[np.ndarray, dict[str, Any]]:
    """Columns x r, float32, and a report with the warnings of OPCA."""
    dimension, spread = options["dimension"], options["spread"]
    if options["start"] == "random":
        return random_start(generator, documents.Z.shape[1], dimension, spread)[0], {}
    pencil = pencils.opca(documents).with_gamma(options["gamma"])
    W, facts = projected(pencil, dimension, spread, threads)
    return W, {"start": facts, "warnings": facts.pop("warnings")}
