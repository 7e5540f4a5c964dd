"""Word mapping without a dictionary: optimal transport of words.

Words are matched so that similar ones of one language go to similar ones of the other
(Gromov-Wasserstein: Alvarez-Melis and Jaakkola 2018), then the map is found by transporting
batches of words (Wasserstein-Procrustes: Grave et al. 2018). All starts share the match, which
leaves nothing to chance, and draw other batches; the unsupervised criterion chooses.
"""

from collections.abc import Iterator

from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, fit_starts, generators
from cr5.systems.mapping.wasserstein import (
    GromovSettings,
    WassersteinSettings,
    gromov,
    map_of,
    wasserstein_procrustes,
)

NEEDS = ("vectors",)

DEFAULTS = {
    "pivot": None,  # "en" if it is among the languages, else the first
    "directed": False,  # or each language is mapped onto every other one
    "centre": False,  # the match goes by the similarities that centring levels
    "starts": 3,
    "plan_words": 1_000,
    "plan_steps": 30,
    "first_epsilon": 0.03,
    "last_epsilon": 0.003,
    "transport_words": 20_000,
    "epochs": 3,
    "steps": 100,
    "batch": 500,
    "rate": 500.0,
    "epsilon": 0.05,
    "rounds": 5,
    "dictionary_words": 15_000,
    "neighbours": 10,
    "criterion_words": 10_000,
    "mutual": False,
}
ALLOWED = {
    "pivot": (None, "{language}"),
    "starts": {"ge": 1},
    "plan_words": {"ge": 1},
    "plan_steps": {"ge": 1},
    "first_epsilon": {"gt": 0},
    "last_epsilon": {"gt": 0},
    "transport_words": {"ge": 1},
    "epochs": {"ge": 0},
    "steps": {"ge": 1},
    "batch": {"ge": 1},
    "rate": {"gt": 0},
    "epsilon": {"gt": 0},
    "rounds": {"ge": 0},
    "dictionary_words": {"ge": 1},
    "neighbours": {"ge": 1},
    "criterion_words": {"ge": 1},
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Match the words, find the maps, refine the best of each and map the vectors.

    Args:
        training: its vectors and vocabularies; documents only for validation.
        options: `starts`, and see `GromovSettings`, `WassersteinSettings`, `RefinementSettings`
            and `cr5.systems.mapping.pivot`.
    """
    options = DEFAULTS | options
    matching = settings_from(GromovSettings, options)
    transport = settings_from(WassersteinSettings, options)

    def starts(source: Space, target: Space) -> Iterator[Start]:
        X, Y = source.vectors, target.vectors
        match = gromov(X, Y, matching)
        W = map_of(match.plan, X, Y)
        for generator in generators(training.seed, source, target, options["starts"]):
            found = wasserstein_procrustes(X, Y, W, transport, generator)
            yield Start(found, {"match": match.history})

    return fit_starts(training, options, starts)
