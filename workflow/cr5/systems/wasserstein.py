"""Word mapping without a dictionary: optimal transport of words.

Words are matched so that similar words of one language go to similar words of the other
(Gromov-Wasserstein: Alvarez-Melis and Jaakkola 2018), then the map is found by transporting
batches of words (Wasserstein-Procrustes: Grave et al. 2018). All starts share the match, which is
deterministic, and draw their own batches; the unsupervised criterion chooses.
"""

from collections.abc import Iterator

from cr5.base.options import complete
from cr5.fitting.contract import Fit, TrainingSet
from cr5.systems.mapping.pivot import settings_from
from cr5.systems.mapping.refinement import OPTIONS as REFINEMENT
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import OPTIONS as STARTS
from cr5.systems.mapping.starts import Start, fit_starts, generators
from cr5.systems.mapping.wasserstein import (
    MATCHING,
    TRANSPORT,
    GromovSettings,
    WassersteinSettings,
    gromov,
    map_of,
    wasserstein_procrustes,
)

NEEDS = ("vectors",)

# Not centred: the match relies on the similarities that centring levels.
OPTIONS = {**STARTS, **MATCHING, **TRANSPORT, **REFINEMENT}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Match the words, find the maps, refine the best of each and map the vectors.

    Args:
        training: its vectors and vocabularies; documents only for validation.
        options: see `OPTIONS`.
    """
    options = complete(OPTIONS, options)
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
