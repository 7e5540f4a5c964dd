"""CPLSA (Platt, Toutanova, Yih 2010, 2.5): both documents of a pair have topics of their own.

They share the words of topics, as in JPLSA, and their topics are brought together by posterior
regularisation. Couples two languages; a concept with a document in one of them is not coupled.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.topics.corpus import coupled
from cr5.systems.topics.coupling import CouplingSettings
from cr5.systems.topics.training import fit as fit_topics

NEEDS = ("counts",)
WITHOUT_COUNTS = None  # topics are of counted words

DEFAULTS = {
    "dimensions": [50, 100, 200, 500, 1000],  # numbers of topics; the paper keeps 1000 and 200
    # What a difference between the topics of a pair costs: a number; "paper" is 1, which all words
    # of a document outweigh, so that it does next to nothing; "exact": they are equal (eps = 0).
    "sigma": "paper",
    "norm": "l1",  # of these differences; the paper names none
    "tolerance": 0.01,  # where the coupling of a pair is done: a distance of at most 2
    "coupling_steps": 50,  # at most, per pair and iteration
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
    "sigma": ("paper", "exact", {"gt": 0}),
    "norm": ("l1", "l2"),
    "tolerance": {"gt": 0},
    "coupling_steps": {"ge": 1},
    "alpha": {"gt": 1},
    "beta": {"gt": 1},
    "skip_words": {"ge": 0},
    "max_words": {"ge": 1},
    "max_iterations": {"ge": 1},
    "check_every": {"ge": 1},
    "patience": {"ge": 1},
    "theta0": ("mean", "uniform"),
}
SIGMAS = {"paper": 1.0, "exact": None}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit each number of topics; see `topics.training.fit`.

    Raises:
        LeftOutError: there are not two languages.
    """
    settings = DEFAULTS | options
    sigma = SIGMAS.get(settings["sigma"], settings["sigma"])
    limits = settings["tolerance"], settings["coupling_steps"]
    coupling = CouplingSettings(sigma, settings["norm"], *limits)
    return fit_topics(training, settings, coupled, coupling)
