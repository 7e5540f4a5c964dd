"""JPLSA (Platt, Toutanova, Yih 2010, 2.4): topics that the languages of a concept have in common.

PLSA on the words of all languages of a concept together, with one vocabulary: a string in several
languages is one word. Validation queries choose the topics and when to stop.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections.columns import Columns
from cr5.systems.topics.corpus import joined
from cr5.systems.topics.em import Em
from cr5.systems.topics.training import OPTIONS as TOPICS
from cr5.systems.topics.training import fit as fit_topics

TITLE = "JPLSA"
REFERENCE = "Platt, Toutanova and Yih, EMNLP 2010"
COST = (1, 8)  # a fit for each number of topics, validated again and again
NEEDS = ("counts",)
WITHOUT_COUNTS = None  # topics are of counted words

OPTIONS = {**TOPICS}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit each number of topics; see `topics.training.fit`."""
    priors = options["alpha"], options["beta"]

    def em_on(columns: Columns) -> Em:
        return Em(joined(training, columns), *priors, threads=training.threads)

    return fit_topics(training, options, em_on)
