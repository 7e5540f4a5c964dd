"""Mono-XCNN (Gupta, Banchs and Rosso 2017, section 5.3): XCNN's first stage in each language.

For search within a language. The networks know nothing of each other: across languages it finds
nothing.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.networks.monolingual import OPTIONS as MONOLINGUAL
from cr5.systems.networks.monolingual import fit_of, stage1, words_of

TITLE = "mono-XCNN"
REFERENCE = "Gupta, Banchs and Rosso, IP&M 2017"
COST = (1, 8)
NEEDS = ("counts", "channels")
WITHOUT_COUNTS = {"weights": "given"}

OPTIONS = {**MONOLINGUAL}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Train the network of each language on its texts alone.

    Raises:
        UserError: no word is left.
    """
    chosen = {x: words_of(training, x, options) for x in training.languages}
    fitted = {x: stage1(training, x, chosen[x], options) for x in training.languages}
    vectors = {x: V for x, (V, _) in fitted.items()}
    reports = {x: report for x, (_, report) in fitted.items()}
    return fit_of(training, chosen, vectors, reports)
