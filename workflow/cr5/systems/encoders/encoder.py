"""An encoder of others in a folder on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from cr5.contracts.keys import File
from cr5.systems.encoders.family import PretrainedEncoder, folder_of

if TYPE_CHECKING:
    from cr5.contracts.training import TrainingSet


class Encoder(PretrainedEncoder):
    """An encoder in a folder on this machine: what a user would take instead.

    The folder holds a transformer exported to ONNX with its tokenizer (`model.onnx` or
    `onnx/model.onnx`, and `tokenizer.json`; its configuration files say how rows of tokens become
    one, and prefixes), or a static model as model2vec writes it, or else what sentence-transformers
    reads, where that is installed. Texts longer than it takes are cut into windows, whose rows are
    averaged by their lengths.
    """

    title = "Encoder"

    path: Annotated[File, Field(pattern=r"^[^{}]*$")] = ""
    """Of the encoder's folder on this machine, one for all languages."""

    @property
    def name_or_folder(self) -> str:
        """Its folder."""
        return self.path

    def _place(self, training: TrainingSet) -> str:
        return folder_of(training, "path")
