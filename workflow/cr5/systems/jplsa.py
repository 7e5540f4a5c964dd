"""JPLSA (Platt, Toutanova, Yih 2010, 2.4): topics that the languages of a concept have in common.

PLSA on the words of all its languages together, with one vocabulary: a string of several languages
is one word. Topics are chosen on validation queries, and so is when to stop.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.topics.corpus import joined
from cr5.systems.topics.coupling import CouplingSettings
from cr5.systems.topics.training import fit as fit_topics

NEEDS = ("counts",)
WITHOUT_COUNTS = None  # topics are of counted words

DEFAULTS = {
    "dimensions": [50, 100, 200, 500, 1000],  # numbers of topics; the paper keeps 1000
    "alpha": 1.1,  # of the Dirichlet priors of topics in a document
    "beta": 1.01,  # and of words in a topic
    "skip_words": 50,  # most frequent ones that are dropped
    "max_words": 20000,  # kept of the others
    "max_iterations": 500,
    "check_every": 5,  # iterations from one validation to the next
    "patience": 10,  # checks in turn without a better one
    # From what a new document takes its iteration, the paper does not say: the mean of the training
    # documents, or all topics alike.
    "theta0": "mean",
}
ALLOWED = {
    "dimensions": {"ge": 2},
    "alpha": {"gt": 1},
    "beta": {"gt": 1},
    "skip_words": {"ge": 0},
    "max_words": {"ge": 1},
    "max_iterations": {"ge": 1},
    "check_every": {"ge": 1},
    "patience": {"ge": 1},
    "theta0": ("mean", "uniform"),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit each number of topics; see `topics.training.fit`."""
    return fit_topics(training, DEFAULTS | options, joined, CouplingSettings())
