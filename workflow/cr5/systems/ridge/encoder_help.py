"""An encoder of others helps to learn from documents, by its rows of texts or of words."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cr5.contracts.training import Fit, TrainingSet
from cr5.fitting.choose import Selection, added, without_edges
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders import opening
from cr5.models.encoders.contract import Encoder
from cr5.models.text_encoder import TextEncoder
from cr5.systems.encoders.family import facts, means, unknown_languages
from cr5.systems.ridge.encoder_features import NAME
from cr5.systems.ridge.near_words import near_words

VALIDATION = "encoder_validation"
WEIGHTS = (1.0, 0.3, 0.0)  # of the encoder's own rows, to choose from
WEIGHT = "encoder_weight"

Learn = Callable[[TrainingSet], Fit]


@dataclass(frozen=True)
class Helper:
    """An encoder, and the languages of a training set that it knows."""

    encoder: str
    checksum: str
    opened: Encoder
    languages: list[str]
    unknown_languages: list[str]

    @classmethod
    def of(cls, training: TrainingSet, encoder: str) -> Helper:
        """Open an encoder, by its name or folder."""
        checksum = opening.checksum(encoder)
        opened = opening.opened(encoder, checksum)
        unknown = unknown_languages(opened.languages, training.languages)
        known = [language for language in training.languages if language not in unknown]
        return cls(encoder, checksum, opened, known, unknown)

    @contextmanager
    def model(self, training: TrainingSet) -> Iterator[TextEncoder]:
        """Make the model of its rows, kept while this lasts where a run keeps none."""
        prefix = self.opened.query_prefix  # on both sides, which are of one kind
        with tempfile.TemporaryDirectory() as folder:
            rows_folder = str(training.encoded or folder)
            yield TextEncoder(
                training.words,
                self.encoder,
                self.checksum,
                prefix,
                prefix,
                rows_folder=rows_folder,
            )

    def facts(self, model: TextEncoder) -> dict[str, Any]:
        """Return what the report says of it."""
        return {"encoder": self.encoder} | facts(self.opened, self.checksum, model)


def with_encoder(training: TrainingSet, fitted: Fit, encoder: str, learn: Learn) -> Fit:
    """Learn from an encoder's rows of texts, too, and keep that if it validates better.

    `learn` fits a training set as `fitted` was. Languages that the encoder does not know have words
    alone. A model that is no better has no encoder, and the share that the report tells is 0.
    """
    helper = Helper.of(training, encoder)
    told = "which are compared by words alone"
    fitted = _told(fitted, helper, {"encoder": encoder}, told)
    if not helper.languages:
        return fitted
    with helper.model(training) as model:
        described = helper.facts(model)
        encoded = learn(_with_rows(training, helper, model))
        encoded = _told(encoded, helper, {"encoder": described}, told)
        selection = Selection(training)
        selection.add(replace(fitted, report={}, chosen={NAME: 0.0}))
        selection.add(replace(encoded, report={}, chosen={NAME: encoded.chosen[NAME]}))
        choice = selection.result()
    if choice.model is fitted.model:
        return added(fitted, choice, VALIDATION)
    kept = choice.model.keeping_rows(training.encoded or "")
    return added(encoded, replace(choice, model=kept), VALIDATION)


def with_own_rows(training: TrainingSet, fitted: Fit) -> Fit:
    """Choose how much the encoder's own rows count beside what was learned with them.

    What is learned is about texts like the training documents, as the validation queries are; the
    encoder knows more of all others. So a smaller weight is chosen only if it validates better by
    more than chance. Nothing is fitted. A model without an encoder is left alone.
    """
    model = fitted.model
    if not isinstance(model, EncodedTables):
        return fitted
    selection = Selection(training, prefers_first=True)
    for weight in WEIGHTS:
        weighted = replace(model, encoder_weight=weight)
        selection.add(Fit(weighted, {}, {WEIGHT: weight}))
    choice = without_edges(selection.result())
    weighed = added(fitted, choice, f"{WEIGHT}_validation")
    if not choice.chosen[WEIGHT]:
        return weighed
    n_encoded, n_learned = model.encoder_table.shape
    return replace(weighed, report=weighed.report | {"dimension": n_learned + n_encoded})


def _with_rows(training: TrainingSet, helper: Helper, model: TextEncoder) -> TrainingSet:
    """Add the centred rows of training documents; zeros in languages that are not known."""
    of_languages = means(model, training, helper.languages, model.query_prefix)
    centring = replace(model, query_means=of_languages, document_means=of_languages)
    rows = {}
    for language in training.languages:
        texts = training.texts[language]()
        rows[language] = centring.embed(texts, language).astype(np.float64)
    return replace(training, encoder=centring, encoder_rows=rows)


def _told(fitted: Fit, helper: Helper, facts: dict[str, Any], lack: str) -> Fit:
    """Add facts to a report, and a warning of the languages that the encoder does not know."""
    report = fitted.report | facts
    if helper.unknown_languages:
        unknown = ", ".join(helper.unknown_languages)
        warning = f"{helper.encoder} does not know {unknown}, {lack}"
        report["warnings"] = [*fitted.report.get("warnings", []), warning]
    return replace(fitted, report=report)


def with_near_words(training: TrainingSet, encoder: str) -> TrainingSet:
    """Add the words that an encoder finds near; of the languages that it knows, if two or more."""
    helper = Helper.of(training, encoder)
    if len(helper.languages) < 2:
        return training
    rows = {}
    with helper.model(training) as model:
        for language in helper.languages:
            words = training.words[language]
            rows[language] = model.plain_rows(words, language, model.query_prefix)
    return replace(training, near_words=near_words(training, rows))


def with_source_of_words(training: TrainingSet, fitted: Fit, encoder: str) -> Fit:
    """Say in the report which encoder's words are in the prior, and which languages lack them."""
    helper = Helper.of(training, encoder)
    described = {
        "encoder": encoder,
        "package": helper.opened.package,
        "version": helper.opened.version,
        "sha256": helper.checksum,
    }
    return _told(fitted, helper, {"encoder_words": described}, "whose words have none near them")
