"""All formats by name: write a model in one, and read any of them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.files import atomic_file, atomic_folder, check_free
from cr5.models.contract import Model
from cr5.models.formats import packed, sidecar, static, tensors, vector_files, word2vec

PACKED = "packed"
ENDING = packed.ENDING
SAFETENSORS = "safetensors"
HALF = (SAFETENSORS, PACKED)
VECTORS = {
    "word2vec": word2vec.TEXT,
    "static": static.FORM,
}
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
    check_known(kind)
    check_free(path)
    if kind == PACKED:
        with atomic_file(path) as file:
            packed.write(file, model, about, half, readme)
        return
    with atomic_folder(path) as folder:
        if kind == SAFETENSORS:
            tensors.write(folder, model, about, half)
        else:
            vector_files.write(folder, kind, VECTORS[kind], model, about)
        for place in (folder, *(x for x in folder.iterdir() if x.is_dir())):
            (place / README).write_text(readme, encoding="utf-8")


def check_known(kind: str) -> str:
    """Return the name of a format.

    Raises:
        UserError: the name is unknown.
    """
    if kind not in FORMATS:
        raise UserError(f"no format {kind!r}; those are {', '.join(FORMATS)}")
    return kind


def is_export(path: str | Path) -> bool:
    """Whether this looks like something that `write` wrote."""
    path = Path(path)
    return (path / sidecar.FILE).is_file() or (path.is_file() and path.suffix == ENDING)


def read(path: str | Path, classes: Iterable[type[Model]] = ()) -> tuple[Model, dict[str, Any]]:
    """Read what `write` wrote: the model, and how it was made.

    Args:
        path: of the file or folder.
        classes: that the model may be of besides ours.

    Raises:
        UserError: with the file, and the line or place if known; a library is missing.
    """
    path = Path(path)
    if path.is_file():
        return packed.read(path, classes)
    kind = sidecar.kind_of(path)
    if kind == SAFETENSORS:
        return tensors.read(path, classes)
    try:
        check_known(kind)
    except UserError as error:
        raise UserError(f"{path / sidecar.FILE}: {error}") from error
    return _checked(path, vector_files.read(path, VECTORS[kind]))


def read_as(
    kind: str, path: str | Path, dimension: int | None = None
) -> tuple[Model, dict[str, Any]]:
    """Read an export, or vectors that another program wrote in this format.

    Args:
        kind: of `FORMATS`.
        path: of a file or folder.
        dimension: that vectors must have; None for any.

    Raises:
        UserError: as for `read`; or there are no such vectors, or they have another dimension; or
            the path is only a part of an export.
    """
    path = Path(path)
    check_known(kind)
    if not path.exists():
        raise UserError(f"{path}: no such file or folder")
    found = _read_as(kind, path)
    if dimension is not None:
        _check_dimension(path, found[0], dimension)
    return found


def _read_as(kind: str, path: Path) -> tuple[Model, dict[str, Any]]:
    if is_export(path):
        found = PACKED if path.is_file() else sidecar.kind_of(path)
        if found != kind:
            raise UserError(f"{path} is of the format {found}, not {kind}")
        return read(path)
    if (path.is_file() or kind == "static") and is_export(path.parent):
        raise UserError(
            f"{path} is a part of what `cr5 export` wrote, and without the others it is another "
            f"model: name the folder, {path.parent}"
        )
    if kind in (PACKED, SAFETENSORS, "static"):
        raise UserError(f"{path}: no model that `cr5 export` wrote as {kind}")
    return _checked(path, vector_files.read_foreign(path, VECTORS[kind]))


def _check_dimension(path: Path, model: Model, dimension: int) -> None:
    for language, table in getattr(model, "tables", {}).items():
        width = getattr(table, "shape", (0, None))[1]
        if width != dimension:
            said = f"{width} numbers" if width else "no one dimension"
            raise UserError(
                f"{path}: vectors of {language} have {said}, and {dimension} are asked for "
                "(--dimension): leave that out, or name another file"
            )


def _checked(path: Path, found: tuple[Model, dict]) -> tuple[Model, dict]:
    try:
        found[0].check()
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    return found
