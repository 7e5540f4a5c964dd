"""A sentence encoder of others, as it is: what a user would take instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, PositiveInt

from cr5.base.parts import Folder, System

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet


class Encoder(System):
    """A sentence encoder of others, as it is: what a user would take instead.

    Nothing is fitted. The encoder embeds the texts of the documents themselves, the same queries
    and candidates as for every other system; its training data are not known here, and may include
    them.
    """

    title = "Encoder"
    cost = (1, 0.5)

    path: Annotated[Folder, Field(pattern=r"^[^{}]*$")] = ""
    """Of the encoder's folder on this machine, one for all languages."""
    prefix: str = ""
    """Put before each text, such as `query: `, if the encoder expects it."""
    pooling: Literal["mean", "first", "max"] = "mean"
    """Of an ONNX model: over tokens."""
    most_tokens: PositiveInt = 512
    """Of an ONNX model: of a text that it reads."""

    @property
    def needs(self) -> tuple[str, ...]:
        """Texts."""
        return ("texts",)

    def fit(self, training: TrainingSet) -> Fit:
        """Find out which library reads the encoder, and identify it.

        Args:
            training: its vocabularies, by which a model knows its languages; its folder.

        Raises:
            UserError: the folder is not that of an encoder, or its library is not installed.
        """
        from importlib.metadata import version
        from pathlib import Path

        from cr5.base import provenance
        from cr5.fitting.contract import Fit
        from cr5.models.encoders import PACKAGES, library_of
        from cr5.models.text_encoder import TextEncoder

        folder = Path(training.files[training.languages[0]]["path"])
        model = TextEncoder(
            words=training.words,
            path=str(folder),
            sha256=provenance.folder(folder)["sha256"],
            library=library_of(folder),
            prefix=self.prefix,
            pooling=self.pooling,
            most_tokens=self.most_tokens,
        )
        example = model.embed(["a"], training.languages[0])
        package = PACKAGES[model.library]
        report = {"package": package, "version": version(package), "dimension": example.shape[1]}
        return Fit(model, report)
