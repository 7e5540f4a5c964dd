"""A sentence encoder of others, as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from cr5.contracts.keys import File
from cr5.contracts.system import System

if TYPE_CHECKING:
    from cr5.contracts.training import Fit, TrainingSet


class Encoder(System):
    """A sentence encoder of others, as it is: what a user would take instead.

    Nothing is fitted. The encoder embeds the texts of the documents themselves, the same queries
    and candidates as for every other system; its training data are not known here, and may include
    them.
    """

    title = "Encoder"
    cost = (1, 0.5)
    needs = ("texts",)

    path: Annotated[File, Field(pattern=r"^[^{}]*$")] = ""
    """Of the encoder's folder on this machine, one for all languages."""
    prefix: str = ""
    """Put before each text, such as `query: `, if the encoder expects it."""

    def fit(self, training: TrainingSet) -> Fit:
        """Identify the encoder, and try it."""
        from pathlib import Path

        from cr5.contracts.training import Fit
        from cr5.models.text_encoder import PACKAGE, TextEncoder, sha256_of

        language = training.languages[0]
        folder = Path(training.files[language]["path"])
        model = TextEncoder(training.words, str(folder), sha256_of(folder), self.prefix)
        example = model.embed(["a"], language)
        import sentence_transformers  # which embedding found installed

        version = sentence_transformers.__version__
        report = {"package": PACKAGE, "version": version, "dimension": example.shape[1]}
        return Fit(model, report)
