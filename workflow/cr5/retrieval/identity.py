"""A quick fingerprint that tells whether a model is unchanged."""

import hashlib
from pathlib import Path

from cr5.base.errors import UserError
from cr5.models.store import is_model

WHOLE = 1 << 20  # bytes; larger files are only sampled
SAMPLES, SAMPLE = 64, 4096


def fingerprint(place: Path) -> str:
    """Hash a model: its small files in full, of large ones the size and evenly spaced samples.

    Opening an index computes it, so it must not read hundreds of megabytes; two fits differ nearly
    everywhere. The name of a packed file does not count.

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
    """Files that make up the model, without records of how it was made."""
    if not is_model(place):
        raise UserError(
            f"{place}: not a model; an index on disk needs a model that is on disk, too: load it "
            "from a folder or file, or keep the index in memory"
        )
    return [place] if place.is_file() else sorted(place.glob("*.safetensors"))
