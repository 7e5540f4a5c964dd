"""Rows that an encoder made of texts, kept in a folder that processes and runs share.

    FOLDER/{encoder}-{checksum}/{language}/{name}.npz   digests (n x 16 bytes), rows (n x r float32)

The folder may be deleted at any time: what is missing is made again. Rows are as they come from the
encoder, so that what a model does with them, such as centring, does not matter here.
"""

import hashlib
import logging
import os
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from cr5.search.kernels import slices

ENCODED = "encoded"  # the folder of all runs, beside their results
BATCH = 64  # texts that are written together: as much work is lost if a run is killed
DIGEST = 16  # bytes
ENDING = ".npz"
# What damaged files raise; zip files have a checksum of each array.
DAMAGED = (zipfile.BadZipFile, ValueError, KeyError, EOFError)

Encode = Callable[[Sequence[str]], np.ndarray]
RowsByDigest = dict[bytes, np.ndarray]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class KeptRows:
    """The rows of one encoder and language that are kept in a folder."""

    folder: Path

    @classmethod
    def of(cls, root: str | Path, encoder: str, checksum: str, language: str) -> "KeptRows":
        """Return those of an encoder, with the checksum of its weights, for a language."""
        return cls(Path(root, f"{encoder}-{checksum[:16]}", language))

    def rows(self, texts: Sequence[str], prefix: str, encode: Encode) -> np.ndarray:
        """Return the row of each text, texts x r; those not kept are made by `encode`, and kept.

        One process at a time makes rows; others wait, and find them.
        """
        digests = [_digest(prefix, text) for text in texts]
        text_of = dict(zip(digests, texts, strict=True))
        known = self._read(set(text_of))
        if len(known) < len(text_of):
            missing = [digest for digest in text_of if digest not in known]
            text_of_missing = {digest: text_of[digest] for digest in missing}
            known |= self._completed(text_of_missing, encode)
        rows = [known[digest] for digest in digests]
        return np.array(rows, np.float32)

    def _completed(self, text_of: Mapping[bytes, str], encode: Encode) -> RowsByDigest:
        """Return the rows of texts, of which other processes may have made some meanwhile.

        The folder is locked while rows are made, too, and not only while files are read and
        written: others would find the same texts missing, and make their rows a second time.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._alone():
            known = self._read(set(text_of))
            missing = [digest for digest in text_of if digest not in known]
            for part in slices(0, len(missing), BATCH):
                batch = missing[part]
                known |= self._encoded(batch, text_of, encode)
        return known

    def _encoded(
        self, digests: Sequence[bytes], text_of: Mapping[bytes, str], encode: Encode
    ) -> RowsByDigest:
        """Make the rows of texts, and keep them."""
        texts = [text_of[digest] for digest in digests]
        rows = encode(texts)
        self._write(digests, rows)
        return dict(zip(digests, rows, strict=True))

    def _read(self, wanted: set[bytes]) -> RowsByDigest:
        """Return the rows that are kept, by digest."""
        known: RowsByDigest = {}
        if not wanted:
            return known
        paths = self.folder.glob(f"*{ENDING}")
        for path in sorted(paths):
            try:
                known |= _rows_in(path, wanted)
            except FileNotFoundError:  # somebody deletes the folder
                continue
            except DAMAGED as error:
                log.warning("%s: a damaged file, made again (%s)", path, error)
                path.unlink(missing_ok=True)
        return known

    def _write(self, digests: Sequence[bytes], rows: np.ndarray) -> None:
        """Write a file, which appears whole, under a name that depends on the texts."""
        content = b"".join(digests)
        checksum = hashlib.sha256(content).hexdigest()
        name = checksum[:32]
        numbers = np.frombuffer(content, np.uint8)
        table = numbers.reshape(-1, DIGEST)
        rows = rows.astype(np.float32, copy=False)
        path = self.folder / f"{name}{ENDING}"
        self.folder.mkdir(parents=True, exist_ok=True)
        temporary = self.folder / f".{name}.part-{os.getpid()}"
        try:
            with temporary.open("wb") as file:
                np.savez(file, digests=table, rows=rows)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock the folder until this ends or its process dies."""
        with Path(self.folder, ".lock").open("a") as file:
            # where there are no locks, rows may be made twice, and are the same
            with suppress(OSError, ImportError):
                import fcntl  # some systems have none, and read models all the same

                fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _digest(prefix: str, text: str) -> bytes:
    """Return what stands for a text; a character that no text has divides it from its prefix."""
    content = f"{prefix}\0{text}".encode()
    digest = hashlib.sha256(content).digest()
    return digest[:DIGEST]


def _rows_in(path: Path, wanted: set[bytes]) -> RowsByDigest:
    """Return the rows of a file that are wanted; without such it is not read to its end."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        digests = [digest.tobytes() for digest in arrays["digests"]]
        if wanted.isdisjoint(digests):
            return {}
        rows = arrays["rows"]
    if len(rows) != len(digests):
        raise ValueError(f"{len(digests)} texts, {len(rows)} rows")
    if not np.isfinite(rows).all():
        raise ValueError("numbers that are nan or infinite")
    row_of = zip(digests, rows, strict=True)
    return {digest: row for digest, row in row_of if digest in wanted}
