"""Fit one system in one setting, and check what it returns."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from threadpoolctl import threadpool_limits

from cr5.base.errors import UserError
from cr5.contracts.model import CountedTexts, Model, ModelError
from cr5.contracts.system import System
from cr5.contracts.training import Fit, TrainingSet
from cr5.fitting.choose import RERANK, with_second_stage
from cr5.models.bank import with_bank


def fit(
    system: System,
    training: TrainingSet,
    rerank: Sequence[float] = (),
    keeps_documents: bool = False,
) -> Fit:
    """Fit a system, with one BLAS thread, and check what it returns.

    Of the weights of a second stage of the search, `rerank`, validation chooses one, unless the
    system does so. A model that keeps its training documents (`models.bank`) needs their counts.
    """
    file = sys.modules[type(system).__module__].__file__
    try:
        with threadpool_limits(1):
            fitted = system.fit(training)
            _check(fitted, training)
            if any(rerank) and RERANK not in fitted.chosen:
                fitted = with_second_stage(training, fitted, rerank)
            fitted = _with_coverage(fitted, training)
            model = fitted.model
            if keeps_documents:
                model = with_bank(model, _documents(model, training))
            return replace(fitted, model=model.keeping_rows(""))
    except ModelError as error:
        raise UserError(f"{file}: {error}") from error


def _documents(model: Model, training: TrainingSet) -> dict[str, Any]:
    """Return the training documents of each language, as the model embeds them."""
    if not (model.reads_texts or model.reads_both):
        return dict(training.counts)
    texts = {language: read() for language, read in training.texts.items()}
    if model.reads_texts:
        return texts
    counts = training.counts
    return {language: CountedTexts(counts[language], texts[language]) for language in texts}


def _with_coverage(fitted: Fit, training: TrainingSet) -> Fit:
    """Add to the report how many words have one of the vectors that a system starts from."""
    if not training.coverage:
        return fitted
    shares = {}
    warnings = list(fitted.report.get("warnings", []))
    for language, coverage in sorted(training.coverage.items()):
        shares[language] = round(coverage.share, 4)
        warnings += coverage.warnings
    report = fitted.report | {"share_with_vector": shares, "warnings": warnings}
    return replace(fitted, report=report)


def _check(fitted: Fit, training: TrainingSet) -> None:
    """Raise ModelError unless a system returned a fit whose model has the words it was given."""
    if not isinstance(fitted, Fit) or not isinstance(fitted.model, Model):
        raise ModelError(f"fit must return a Fit with a Model, returned {type(fitted).__name__}")
    for language, expected in training.words.items():
        words = fitted.model.words.get(language, [])
        if list(words) != list(expected):
            raise ModelError(
                f"the words of the model in {language!r} must be the {len(expected)} of the "
                f"training set, in their order; found {len(words)}"
            )
    fitted.model.check()
