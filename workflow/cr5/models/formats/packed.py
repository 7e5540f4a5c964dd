"""A model in one file to share: a zip file, byte-identical for the same model.

model.json      describes the arrays (`flat`)
about.json      how the model was made
README.md       the card
{name}.npy      the arrays, tables in float16 unless full precision is wanted
"""

import io
import json
import math
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.refusals import pass_on
from cr5.models.contract import Model
from cr5.models.formats import flat
from cr5.models.formats.flat import flatten, unflatten
from cr5.models.kinds import UnknownClassError

ENDING = ".cr5"
EPOCH = (1980, 1, 1, 0, 0, 0)  # earliest date in a zip file
MOST, ROOM = 100, 1 << 28  # limit of unpacked / packed size, beyond ROOM bytes; models have 12
BROKEN = (*flat.BROKEN, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error)


def write(
    path: Path, model: Model, about: Mapping[str, Any], half: bool = True, readme: str = ""
) -> None:
    """Write the file."""
    description, arrays = flatten(model, half)
    with zipfile.ZipFile(path, "w") as file:
        _add(file, "README.md", readme.encode())
        _add(file, "model.json", _json(description))
        _add(file, "about.json", _json(about))
        for name, array in arrays.items():
            data = io.BytesIO()
            np.lib.format.write_array(data, np.ascontiguousarray(array), allow_pickle=False)
            _add(file, f"{name}.npy", data.getvalue())


def read(path: Path, classes: Iterable[type[Model]] = ()) -> tuple[Model, dict[str, Any]]:
    """Read what `write` wrote.

    Args:
        path: of the model.
        classes: that it may be of besides ours.

    Raises:
        UserError: the file is truncated, damaged or of another version, has a part twice, or
            unpacks to more than a model would.
    """
    try:
        with zipfile.ZipFile(path) as file:
            _check_parts(file, path.stat().st_size)
            arrays = {
                name.removesuffix(".npy"): _array(file.read(name))
                for name in file.namelist()
                if name.endswith(".npy")
            }
            description, about = (json.loads(file.read(f"{x}.json")) for x in ("model", "about"))
        return unflatten(description, arrays, classes), about
    except UnknownClassError as error:
        raise error.at(path) from None
    except BROKEN as error:
        pass_on(error)
        raise UserError(
            f"{path}: not a whole packed model of this version ({error}); get a whole copy, or "
            "pack the model again"
        ) from error


def _add(file: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, EPOCH)
    entry.external_attr = 0o644 << 16
    entry.create_system = 3  # fixed, so that the bytes do not depend on the machine
    file.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def _check_parts(file: zipfile.ZipFile, size: int) -> None:
    """Check before unpacking; parts may share packed bytes, so compare with the file's size."""
    names, total = file.namelist(), sum(x.file_size for x in file.infolist())
    if len(set(names)) < len(names):
        raise ValueError(f"{max(names, key=names.count)} is in it twice")
    if total > max(ROOM, MOST * size):
        raise ValueError(f"{size} bytes unpack to {total}, over {MOST} times as many")


def _array(content: bytes) -> np.ndarray:
    """Read an array; no memory is allocated if it claims more numbers than there are bytes."""
    array_file = io.BytesIO(content)
    version = np.lib.format.read_magic(array_file)
    header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, kind = header(array_file)
    size = math.prod(shape) * kind.itemsize
    is_whole = min(shape, default=0) >= 0 and size == len(content) - array_file.tell()
    if not (is_whole or kind.hasobject):  # objects, which are not numbers, are refused below
        raise ValueError(f"an array of shape {shape} in {len(content)} bytes")
    array_file.seek(0)
    return np.lib.format.read_array(array_file, allow_pickle=False)


def _json(content: Any) -> bytes:
    return json.dumps(content, indent=1, ensure_ascii=False).encode()
