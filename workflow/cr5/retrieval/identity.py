"""Whether a model is the one that it was: a fingerprint that is quick to take."""

import hashlib
from pathlib import Path

from cr5.base.errors import UserError
from cr5.models.formats import registry
from cr5.retrieval.loading import is_stored

WHOLE = 1 << 20  # bytes; of larger files only samples are read
TABLES = (".npy", ".npz", ".parquet")
SAMPLES, SAMPLE = 64, 4096


def fingerprint(place: Path) -> str:
    """Hash a model: all of its small files, of large ones the size and evenly spread samples.

    Opening an index takes this, so it may not read hundreds of megabytes; two fits differ nearly
    everywhere. Names of exported files do not count where there is one alone.

    Raises:
        UserError: there is no model.
    """
    digest = hashlib.sha256()
    for path in _files(place):
        size = path.stat().st_size
        digest.update(f"{path.relative_to(place).as_posix()} {size}\n".encode())
        with path.open("rb") as file:
            if size <= WHOLE:
                digest.update(file.read())
                continue
            for number in range(SAMPLES):
                file.seek(number * (size - SAMPLE) // (SAMPLES - 1))
                digest.update(file.read(SAMPLE))
    return digest.hexdigest()


def _files(place: Path) -> list[Path]:
    """Those that make the model; neither what made it nor cards."""
    if place.is_file() and registry.is_export(place):
        return [place]
    files = sorted(x for x in place.rglob("*") if x.is_file())
    if is_stored(place):
        return [x for x in files if x.suffix in TABLES or x.name == "model.json"]
    if not registry.is_export(place):
        raise UserError(
            f"{place}: not a model; an index on disk needs a model that is on disk, too: load it "
            "from a folder or file, or keep the index in memory"
        )
    return [x for x in files if x.name != registry.README]
