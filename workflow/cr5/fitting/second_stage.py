"""Choose the weight of the second stage of a search, for any system with word vectors.

    systems:
      cr5_spelling: {rerank: [0, 0.25, 0.5, 1]}

See `cr5.search.second_stage`.
"""

from collections.abc import Sequence
from dataclasses import replace

from scipy import sparse

from cr5.fitting.best import Selection, added
from cr5.fitting.contract import Fit, TrainingSet

NAME = "rerank"


def with_second_stage(training: TrainingSet, fitted: Fit, weights: Sequence[float]) -> Fit:
    """Choose the weight by which the validation queries are ranked best; in ties the smallest.

    Weights are tried from the smallest on, until one is no better than those before it.

    Args:
        training: validates.
        fitted: with a model of word vectors.
        weights: to choose among.

    Returns:
        The same fit with that weight in its model, and `rerank` and `rerank_validation` in its
        report.

    Raises:
        UserError: the model has no word vectors.
    """
    language, words = next(iter(fitted.model.words.items()))
    fitted.model.matched(sparse.csr_matrix((1, len(words))), language)  # if it can
    selection = Selection(training)
    for weight in sorted({float(weight) for weight in weights}):
        selection.add(Fit(replace(fitted.model, rerank=weight), {}, {NAME: weight}))
        if selection.checks_without_gain():
            break  # matches take long, and validation falls steadily once it falls
    return added(fitted, selection.result(), f"{NAME}_validation")
