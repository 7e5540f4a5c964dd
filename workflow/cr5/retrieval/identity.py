"""Whether a model is the one that it was: a fingerprint that is quick to take."""

import hashlib
from pathlib import Path

from cr5.base.errors import UserError

WHOLE = 1 << 20  # bytes; of larger files only samples are read
SAMPLES, SAMPLE = 64, 4096


def fingerprint(folder: str | Path) -> str:
    """Hash a model: all of its small files, of large ones the size and evenly spread samples.

    Opening an index takes this, so it may not read hundreds of megabytes; two fits differ nearly
    everywhere.

    Raises:
        UserError: there is no model.
    """
    folder = Path(folder)
    if not (folder / "model.json").is_file():
        raise UserError(f"{folder}: no model is there; an index on disk needs one that is, too")
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".npy", ".npz", ".parquet") or path.name == "model.json":
            digest.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n".encode())
            _add(digest, path)
    return digest.hexdigest()


def _add(digest, path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= WHOLE:
            digest.update(file.read())
            return
        for number in range(SAMPLES):
            file.seek(number * (size - SAMPLE) // (SAMPLES - 1))
            digest.update(file.read(SAMPLE))
