"""All formats by name: write a model in one, and read those that hold the whole model."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cr5.base.files import atomic_file, atomic_folder, check_free
from cr5.models.contract import Model
from cr5.models.formats import packed, static, tensors, word2vec
from cr5.models.formats.card import name_of

PACKED = "packed"
ENDING = packed.ENDING
SAFETENSORS = "safetensors"
HALF = (SAFETENSORS, PACKED)
VECTORS = {"word2vec": word2vec.write, "static": static.write}
FORMATS = {
    "word2vec": "a text file of vectors per language, which gensim reads, too",
    "static": "a static model of model2vec and sentence-transformers per language",
    SAFETENSORS: "the whole model in one file of safetensors",
    PACKED: "the whole model in one small file to share, in float16",
}
README = "README.md"


def write(
    kind: str,
    path: str | Path,
    model: Model,
    about: Mapping[str, Any],
    readme: str = "",
    half: bool = False,
) -> None:
    """Write a model in a format: a folder, or for `packed` a file. It appears whole.

    Args:
        kind: of `FORMATS`.
        path: must not exist yet.
        model: of a class that the format can hold.
        about: how it was made; JSON-serialisable.
        readme: the card.
        half: store tables in float16; only for formats in `HALF`.

    Raises:
        UserError: the path exists; or the format cannot hold the model.
    """
    path = Path(path)
    check_free(path)
    if kind == PACKED:
        with atomic_file(path) as file:
            packed.write(file, model, about, half, readme)
        return
    with atomic_folder(path) as folder:
        if kind == SAFETENSORS:
            tensors.write(folder, model, about, half)
        else:
            VECTORS[kind](folder, model, name_of(about))
        for place in (folder, *(x for x in folder.iterdir() if x.is_dir())):
            (place / README).write_text(readme, encoding="utf-8")


def is_export(path: str | Path) -> bool:
    """Whether this looks like a whole model that `write` wrote."""
    path = Path(path)
    return (path / tensors.FILE).is_file() or (path.is_file() and path.suffix == ENDING)


def read(path: str | Path, classes: Iterable[type[Model]] = ()) -> tuple[Model, dict[str, Any]]:
    """Read a whole model: it, and how it was made.

    Args:
        path: of the file or folder.
        classes: that the model may be of besides ours.

    Raises:
        UserError: the file is not whole, or of another version; a library is missing.
    """
    path = Path(path)
    return (packed if path.is_file() else tensors).read(path, classes)
