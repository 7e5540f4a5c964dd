"""An index on disk: files that never change, except index.json, which is replaced last.

index.json      the model, and per language the chunks and their checksums
NUMBER.arrow    texts and their vectors (`chunks`)
KEY.csls.npy    what CSLS subtracts from the texts of a chunk, cached

A process that is killed leaves the index as it was: what it wrote is not in index.json, and the
next writer removes it. Nothing else in the folder is touched.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cr5.base.artefact import summed
from cr5.base.errors import UserError
from cr5.base.files import alone, atomic_file
from cr5.base.refusals import DAMAGED
from cr5.retrieval import chunks
from cr5.retrieval.chunks import Chunk
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.identity import fingerprint
from cr5.retrieval.index_json import FILE, FORMAT, NAME, check_made_by, is_index, parsed
from cr5.retrieval.results import Results
from cr5.retrieval.stores import Contents, Memory, penalties_keys

CSLS = ".csls.npy"
OWN = re.compile(rf"{NAME.pattern}\.arrow|[0-9a-f]{{16}}{re.escape(CSLS)}")


class _Read(NamedTuple):
    """What was read at once, so that threads see one state."""

    index_json: bytes
    contents: Contents
    counter: int  # of all chunks ever written, so that names are unique


NOTHING = _Read(b"", {}, 0)


class Folder(Memory):
    """The folder of an index on disk; one process at a time writes to it."""

    def __init__(self, path: Path, model: Embedder) -> None:
        """Open the folder, if it is one already.

        Raises:
            UserError: it has a damaged index, or one of another model or version.
        """
        super().__init__()
        self.path, self._model = path, model
        self._read = NOTHING
        self._now()

    def contents(self) -> Contents:
        """Return the chunks, mapped into memory, as this process last read or wrote them."""
        return self._read.contents

    def _now(self) -> _Read:
        """Read the folder again if it has changed; chunks that are known are not."""
        now = b""
        with suppress(FileNotFoundError, NotADirectoryError):
            now = (self.path / FILE).read_bytes()
        if now != self._read.index_json:
            self._read = self._load(now, self._read.contents) if now else NOTHING
        return self._read

    def _load(self, now: bytes, known: Contents) -> _Read:
        said = parsed(now, self.path)
        check_made_by(said, self._fingerprint, self._model.place, self.path)
        if lacking := said["languages"].keys() - set(self._model.languages):
            raise UserError(
                f"{self.path / FILE}: damaged (texts in {min(lacking)!r}, a language that its "
                "model lacks); build the index again"
            )
        loaded = {(x.name, x.checksum): x for every in known.values() for x in every}
        contents = {
            language: tuple(
                loaded.get(each) or chunks.load(self._file(each[0]), checksum=each[1])
                for each in every.items()
            )
            for language, every in said["languages"].items()
        }
        return _Read(now, contents, said["counter"])

    @contextmanager
    def writing(self) -> Iterator[Contents]:
        """Lock the folder and yield its contents.

        Raises:
            UserError: another process writes, or the folder is not writable or has another use.
        """
        with self._lock:
            self._check_place()  # while no thread makes the folder; before a lock is left there
            with alone(self.path):
                now = self._now()
                self._counter = now.counter
                yield now.contents

    def put(self, chunk: Chunk) -> Chunk:
        """Write a new chunk and map it into memory; it takes effect once committed."""
        if not is_index(self.path):
            self.commit({})
        path = self._file(super().put(chunk).name)
        chunks.save(path, chunk)
        return chunks.load(path, checksum=int(summed(path)[1], 16))

    def commit(self, contents: Contents) -> None:
        """Make these chunks, already written, the contents of the index; remove all others."""
        said = {
            "format": FORMAT,
            "model": {"path": self._model_path(), "fingerprint": self._fingerprint},
            "counter": self._counter,
            "languages": {
                language: {x.name: x.checksum for x in every}
                for language, every in sorted(contents.items())
            },
        }
        now = (json.dumps(said, indent=1, ensure_ascii=False) + "\n").encode()
        with atomic_file(self.path / FILE) as path:
            path.write_bytes(now)
        super().commit(contents)
        self._read = _Read(now, contents, self._counter)
        kept = {f"{x.name}.arrow" for every in contents.values() for x in every}
        kept |= {f"{key}{CSLS}" for key in penalties_keys(contents)}
        for path in list(self.path.iterdir()):
            if OWN.fullmatch(path.name) and path.name not in kept:
                path.unlink()

    def check(self) -> None:
        """Read all chunks, and compare them with their checksums.

        Raises:
            UserError: with the file.
        """
        for each in (x for every in self.contents().values() for x in every):
            path = self._file(each.name)
            if not path.exists() or int(summed(path)[1], 16) != each.checksum:
                raise UserError(
                    f"{path}: missing, or its checksum differs from what was written: the disk may "
                    "be damaged; build the index again"
                )

    def penalties(self, key: str) -> np.ndarray | None:
        """Return what CSLS subtracts, computed by this or an earlier process."""
        if (found := super().penalties(key)) is not None:
            return found
        with suppress(*DAMAGED):
            return np.load(self.path / f"{key}{CSLS}", allow_pickle=False)
        return None

    def keep(self, key: str, penalties: np.ndarray) -> None:
        """Keep what CSLS subtracts, on disk if the folder is writable.

        Without the lock: a search must not make a writer wait. The next commit removes what
        belongs to chunks that are gone.
        """
        super().keep(key, penalties)
        with suppress(OSError, UserError), atomic_file(self.path / f"{key}{CSLS}") as path:
            np.save(path, penalties)

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._model.place)

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.arrow"

    def _check_place(self) -> None:
        """Refuse a folder with another use, and an index that lost its index.json."""
        if is_index(self.path) or not self.path.exists():
            return
        inside = self.path.iterdir() if self.path.is_dir() else [self.path]
        others = [x.name for x in inside if not x.name.startswith(".")]
        if others:
            raise UserError(
                f"{self.path}: the folder has no {FILE}, but other files ({min(others)}): choose "
                "another folder for the index"
            )

    def _model_path(self) -> str:
        """Path of the model, relative if the index is in the run's folder and so moves with it."""
        model, own = self._model.place.resolve(), self.path.resolve()
        origin = Results.of_model(model)
        if origin and own.is_relative_to(origin[0].folder):
            return Path(os.path.relpath(model, own)).as_posix()
        return model.as_posix()
