"""Whether a model is the one that it was: a fingerprint that is quick to take."""

import hashlib
from pathlib import Path

from cr5.base.errors import UserError
from cr5.models.formats import registry
from cr5.retrieval.loading import is_stored

WHOLE = 1 << 20  # bytes; of larger files only samples are read
TABLES = (".npy", ".npz", ".parquet")
SAMPLES, SAMPLE = 64, 4096


def fingerprint(place: str | Path) -> str:
    """Hash a model: all of its small files, of large ones the size and evenly spread samples.

    Opening an index takes this, so it may not read hundreds of megabytes; two fits differ nearly
    everywhere. Names of exported files do not count where there is one alone.

    Raises:
        UserError: there is no model.
    """
    place = Path(place)
    digest = hashlib.sha256()
    for path in _files(place):
        digest.update(f"{path.relative_to(place).as_posix()} {path.stat().st_size}\n".encode())
        _add(digest, path)
    return digest.hexdigest()


def _files(place: Path) -> list[Path]:
    """Those that make the model; neither what made it nor cards."""
    if is_stored(place):
        found = sorted(place.rglob("*"))
        return [x for x in found if x.suffix in TABLES or x.name == "model.json"]
    if not registry.is_export(place):
        raise UserError(
            f"{place}: no model is there; an index on disk needs one that is, too: load it from "
            "a folder or file, or keep the index in memory"
        )
    found = [place] if place.is_file() else sorted(x for x in place.rglob("*") if x.is_file())
    return [x for x in found if x.name != registry.README]


def _add(digest, path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= WHOLE:
            digest.update(file.read())
            return
        for number in range(SAMPLES):
            file.seek(number * (size - SAMPLE) // (SAMPLES - 1))
            digest.update(file.read(SAMPLE))
