"""What encoders of others have in common: their keys, the check that they are there, the fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import ValidationInfo, model_validator

from cr5.base.errors import LeftOutError, UserError
from cr5.base.languages import base_language
from cr5.contracts.keys import Code, Some
from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet
    from cr5.models.encoders.contract import Encoder
    from cr5.models.text_encoder import TextEncoder


class PretrainedEncoder(System):
    """An encoder of others: nothing but the means of languages is learned.

    It embeds the texts of the documents themselves, the same queries and candidates as for every
    other system. What it was trained on may include them.
    """

    cost = (1, 8)  # transformers take a good part of a second for a text
    needs = ("texts",)

    query_prefix: str | None = None
    """Put before queries; null: as the encoder's configuration says."""
    document_prefix: str | None = None
    """Put before documents; null: as the encoder's configuration says."""
    centred: bool = True
    """Subtract the mean of the language's training documents: what all texts of a language share
    tells nothing. Without it rows are as they come."""
    languages: Some[Code] | None = None
    """That it is to be used for; a setting with others is left out. null: those it was trained on,
    or all if it does not say."""

    @model_validator(mode="after")
    def _is_there(self, info: ValidationInfo) -> PretrainedEncoder:
        """Refuse, before any job, a configuration whose encoder cannot be used here."""
        if info.context is not None and self.name_or_folder:
            refuse_if_hindered(self.name_or_folder)
        return self

    @property
    def name_or_folder(self) -> str:
        """Which encoder it is, as `models.encoders.opening` takes it."""
        raise NotImplementedError

    def fit(self, training: TrainingSet) -> Fit:
        """Identify the encoder, embed the training documents, and take the means."""
        from cr5.contracts.training import Fit
        from cr5.models.encoders import opening
        from cr5.models.text_encoder import TextEncoder

        place = self._place(training)
        checksum = opening.checksum(place)
        encoder = opening.opened(place, checksum)
        unknown = unknown_languages(self.languages or encoder.languages, training.languages)
        if unknown:
            raise LeftOutError(
                f"{type(self).title} is not used for {', '.join(unknown)} (`languages`)"
            )
        query_prefix = self.query_prefix
        if query_prefix is None:
            query_prefix = encoder.query_prefix
        document_prefix = self.document_prefix
        if document_prefix is None:
            document_prefix = encoder.document_prefix
        folder = str(training.encoded or "")
        model = TextEncoder(
            training.words, place, checksum, query_prefix, document_prefix, rows_folder=folder
        )
        if self.centred:
            model = _centred(model, training)
        return Fit(model, facts(encoder, checksum, model))

    def _place(self, training: TrainingSet) -> str:
        """Return which encoder it is, as files of the training set say."""
        return self.name_or_folder


def refuse_if_hindered(encoder: str) -> None:
    """Raise `UserError` if an encoder cannot be used here; nothing is loaded."""
    from cr5.models.encoders.opening import hindrance

    reason = hindrance(encoder)
    if reason:
        raise UserError(reason)


def folder_of(training: TrainingSet, key: str) -> str:
    """Return the folder of an encoder that a key names, one for all languages.

    A folder here that is called like an encoder of a package is not taken for that.
    """
    from cr5.models.encoders.opening import PACKAGES

    folder = str(Path(training.files[training.languages[0]][key]))
    if folder in PACKAGES:
        return f"./{folder}"
    return folder


def unknown_languages(known: Sequence[str], languages: Sequence[str]) -> list[str]:
    """Return the languages of which an encoder knows neither the code nor its base; none if any."""
    if not known:
        return []
    return [x for x in languages if x not in known and base_language(x) not in known]


def _centred(model: TextEncoder, training: TrainingSet) -> TextEncoder:
    """Return the model with the means of training documents, with the prefix of each side."""
    languages = training.languages
    query_means = means(model, training, languages, model.query_prefix)
    document_means = query_means
    if model.directed:
        document_means = means(model, training, languages, model.document_prefix)
    return replace(model, query_means=query_means, document_means=document_means)


def means(
    model: TextEncoder, training: TrainingSet, languages: Sequence[str], prefix: str
) -> dict[str, np.ndarray]:
    """Return the mean of the rows of each language's training documents, (r,) float64.

    Texts of which the encoder makes nothing, with rows of zeros, do not count.
    """
    of_languages = {}
    for language in languages:
        rows = model.plain_rows(training.texts[language](), language, prefix)
        n_known = np.count_nonzero(rows.any(axis=1))
        of_languages[language] = rows.sum(axis=0, dtype=np.float64) / max(n_known, 1)
    return of_languages


def facts(encoder: Encoder, checksum: str, model: TextEncoder) -> dict[str, Any]:
    """Return what the report says of an encoder: which it is, in which version."""
    language = next(iter(model.words))
    return {
        "package": encoder.package,
        "version": encoder.version,
        "sha256": checksum,
        "dimension": model.embed(["a"], language).shape[1],
        "query_prefix": model.query_prefix,
        "document_prefix": model.document_prefix,
    }
