"""An encoder of others beside what was learned from documents; validation weighs them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace

from cr5.contracts.training import Fit, TrainingSet
from cr5.fitting.choose import added, best
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders import opening
from cr5.models.text_encoder import TextEncoder
from cr5.systems.encoders.family import facts, means, unknown_languages

WEIGHTS = (0, 0.1, 0.2, 0.3, 0.5, 1, 2, 4)  # b, the encoder's beside 1
ALONE = "alone"  # in the report: nothing of what was learned
NAME = "encoder_weight"


def with_encoder(training: TrainingSet, fitted: Fit, encoder: str) -> Fit:
    """Choose the weight of an encoder beside a fitted model of word tables.

    Languages that it does not know are compared by words alone. The chosen model keeps no encoder
    if validation gives it the weight 0.
    """
    checksum = opening.checksum(encoder)
    opened = opening.opened(encoder, checksum)
    unknown = unknown_languages(opened.languages, training.languages)
    known = [language for language in training.languages if language not in unknown]
    report = {"encoder": encoder}
    if unknown:
        said = f"{encoder} does not know {', '.join(unknown)}, which are compared by words alone"
        report["warnings"] = [*fitted.report.get("warnings", []), said]
    fitted = replace(fitted, report=fitted.report | report)
    if not known:
        return fitted
    prefix = opened.query_prefix  # on both sides, which are of one kind
    with tempfile.TemporaryDirectory() as folder:  # where a run keeps none
        rows_folder = str(training.encoded or folder)
        words = fitted.model.words
        model = TextEncoder(words, encoder, checksum, prefix, prefix, rows_folder=rows_folder)
        of_languages = means(model, training, known, prefix)
        model = replace(model, query_means=of_languages, document_means=of_languages)
        best_fit = best(training, _fits(fitted, model))
        described = {"encoder": encoder} | facts(opened, checksum, model)
    best_model = best_fit.model.keeping_rows(training.encoded or "")
    chosen = added(fitted, replace(best_fit, model=best_model), "encoder_validation")
    if not isinstance(best_model, EncodedTables):
        return chosen
    return replace(chosen, report=chosen.report | {"encoder": described})


def _fits(fitted: Fit, encoder: TextEncoder) -> Iterator[Fit]:
    """Yield the learned model, with the encoder beside it, and the encoder alone."""
    for weight in WEIGHTS:
        model = fitted.model
        if weight:
            model = EncodedTables.of(fitted.model, encoder, encoder_weight=float(weight))
        yield Fit(model, {}, {NAME: float(weight)})
    alone = EncodedTables.of(fitted.model, encoder, encoder_weight=1.0, learned_weight=0.0)
    yield Fit(alone, {}, {NAME: ALONE})
