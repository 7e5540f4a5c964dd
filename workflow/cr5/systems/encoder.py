"""A sentence encoder of others, as it is: what a user would take instead.

Nothing is fitted. The encoder embeds the texts of the documents themselves, the same queries and
candidates as for every other system; its training data are not known here, and may include them.
"""

from importlib.metadata import version
from pathlib import Path

from cr5.base import provenance
from cr5.fitting.contract import Fit, TrainingSet
from cr5.models.encoders import PACKAGES, library_of
from cr5.models.text_encoder import TextEncoder

TITLE = "Encoder"
COST = (1, 0.5)
NEEDS = ("texts",)
FOLDERS = ("path",)

OPTIONS = {
    "path": ("", "{file}", "of the encoder's folder on this machine"),
    "prefix": ("", "{text}", "put before each text, such as `query: `, if the encoder expects it"),
    "pooling": (
        "mean",
        ("mean", "first", "max"),
        "of an ONNX model: over tokens",
    ),
    "most_tokens": (512, {"ge": 1}, "of an ONNX model: of a text that it reads"),
}


def fit(training: TrainingSet, options: dict) -> Fit:
    """Find out which library reads the encoder, and identify it.

    Args:
        training: its vocabularies, by which a model knows its languages; its folder.
        options: how texts are embedded.

    Raises:
        UserError: the folder is not that of an encoder, or its library is not installed.
    """
    folder = Path(training.files[training.languages[0]]["path"])
    model = TextEncoder(
        words=training.words,
        path=str(folder),
        sha256=provenance.folder(folder)["sha256"],
        library=library_of(folder),
        prefix=options["prefix"],
        pooling=options["pooling"],
        most_tokens=options["most_tokens"],
    )
    example = model.embed(["a"], training.languages[0])
    package = PACKAGES[model.library]
    report = {"package": package, "version": version(package), "dimension": example.shape[1]}
    return Fit(model, report)
