"""CPLSA (Platt, Toutanova, Yih 2010, 2.5): both documents of a pair have topics of their own.

They share the words of topics, as in JPLSA, and their topics are brought together by posterior
regularisation. Couples two languages; a concept with a document in one of them is not coupled.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections.columns import Columns
from cr5.systems.topics.corpus import coupled
from cr5.systems.topics.coupling import CouplingSettings
from cr5.systems.topics.em import Em
from cr5.systems.topics.training import OPTIONS as TOPICS
from cr5.systems.topics.training import fit as fit_topics

TITLE = "CPLSA"
REFERENCE = "Platt, Toutanova and Yih, EMNLP 2010"
COST = (1, 24)  # a fit for each number of topics; several passes over each pair
NEEDS = ("counts",)
WITHOUT_COUNTS = None  # topics are of counted words

OPTIONS = {
    **TOPICS,
    # "paper" is 1, which the words of a document outweigh, so it has almost no effect;
    # "exact": they are equal (eps = 0).
    "sigma": (
        "paper",
        ("paper", "exact", {"gt": 0}),
        "what a difference between the topics of a pair costs; `paper` is 1, `exact` allows none",
    ),
    "tolerance": (0.01, {"gt": 0}, "distance, of at most 2, where the coupling of a pair is done"),
    "coupling_steps": (50, {"ge": 1}, "at most, per pair and iteration"),
}
SIGMAS = {"paper": 1.0, "exact": None}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit each number of topics; see `topics.training.fit`.

    Raises:
        LeftOutError: there are not two languages.
    """
    sigma = SIGMAS.get(options["sigma"], options["sigma"])
    coupling = CouplingSettings(sigma, options["tolerance"], options["coupling_steps"])
    priors = options["alpha"], options["beta"]

    def em_on(columns: Columns) -> Em:
        return Em(coupled(training, columns), *priors, coupling, training.threads)

    return fit_topics(training, options, em_on)
