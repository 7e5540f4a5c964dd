"""Polylingual topic model (Mimno, Wallach, Naradowsky, Smith and McCallum, EMNLP 2009).

Latent Dirichlet allocation in which all languages of a concept share its topics, and a topic has
words of its own in each language: a string in several languages is several words. Fitted by Gibbs
sampling. Validation queries choose the topics and when to stop.
"""

from typing import Any

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.projections.columns import Columns
from cr5.systems.topics.corpus import joined
from cr5.systems.topics.gibbs import Gibbs
from cr5.systems.topics.training import OPTIONS as TOPICS
from cr5.systems.topics.training import fit as fit_topics

TITLE = "PLTM"
REFERENCE = "Mimno, Wallach, Naradowsky, Smith and McCallum, EMNLP 2009"
COST = (1, 8)  # a fit for each number of topics, validated again and again
NEEDS = ("counts",)
WITHOUT_COUNTS = None  # topics are of counted words

OPTIONS = {
    **TOPICS,
    "alpha": (0.1, {"gt": 0}, "of the Dirichlet prior of topics in a concept"),
    "beta": (0.01, {"gt": 0}, "of the Dirichlet priors of words in a topic and language"),
    "skip_words": (50, {"ge": 0}, "most frequent words of each language that are dropped"),
    "max_words": (20000, {"ge": 1}, "words of each language kept of the others"),
    "burn_in": (
        100,
        {"ge": 0},
        "iterations before those over which topics are averaged and validated",
    ),
}


def fit(training: TrainingSet, options: dict[str, Any]) -> Fit:
    """Fit each number of topics; see `topics.training.fit`."""
    given = options["burn_in"], training.seed

    def sampler_on(columns: Columns) -> Gibbs:
        corpus = joined(training, columns)
        return Gibbs(corpus, options["alpha"], options["beta"], columns.starts, *given)

    return fit_topics(training, options, sampler_on, merged=False)
