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
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.lock import NAME as LOCK
from cr5.base.lock import TakenError, held
from cr5.base.refusals import DAMAGED, pass_on
from cr5.retrieval import chunks
from cr5.retrieval.chunks import Chunk
from cr5.retrieval.identity import fingerprint
from cr5.retrieval.loading import place_of
from cr5.retrieval.results import Results
from cr5.retrieval.searching import penalties_key

FORMAT = 2
FILE = "index.json"
NAME = re.compile(r"[0-9]{6,}")  # becomes part of a path: must not lead elsewhere
CSLS = ".csls.npy"
OWN = re.compile(rf"{NAME.pattern}\.arrow|[0-9a-f]{{16}}{re.escape(CSLS)}")

Contents = Mapping[str, Sequence[Chunk]]  # by language


@dataclass
class Folder:
    """The folder of an index on disk.

    Attributes:
        path: of the folder.
        model: path of its model.
        counter: of all chunks ever written, so that names are unique.
        checksums: of the chunks, by name.
    """

    path: Path
    model: Path
    counter: int = 0
    checksums: dict[str, int] = field(default_factory=dict)

    def read(self) -> Contents:
        """Map all chunks into memory; retry if another process removed some meanwhile.

        Raises:
            UserError: a file is missing or damaged, or of another version or model.
        """
        if not is_index(self.path):
            return {}
        while True:
            before = (self.path / FILE).read_bytes()
            try:
                return self._read()
            except UserError:
                if before == (self.path / FILE).read_bytes():
                    raise

    def _read(self) -> Contents:
        said = read_json(self.path)
        self.counter, self.checksums = said["counter"], {}
        for every in said["languages"].values():
            self.checksums |= every
        return {
            language: tuple(chunks.load(self._file(name)) for name in every)
            for language, every in said["languages"].items()
        }

    @contextmanager
    def writing(self) -> Iterator[Contents]:
        """Lock the folder and yield its contents.

        Raises:
            UserError: another process writes, or the folder is not writable or has another use.
        """
        made = not self.path.exists()
        self._check_place()
        with _locked(self.path):
            try:
                yield self.read()
            finally:
                if made and [x.name for x in self.path.iterdir()] == [LOCK]:  # nothing was added
                    (self.path / LOCK).unlink()
                    self.path.rmdir()

    def put(self, chunk: Chunk) -> Chunk:
        """Write a new chunk and map it into memory; it takes effect once committed."""
        if not is_index(self.path):
            self.commit({})
        self.counter += 1
        name = f"{self.counter:06}"
        chunks.save(self._file(name), chunk)
        self.checksums[name] = _checksum(self._file(name))
        return chunks.load(self._file(name))

    def commit(self, contents: Contents) -> None:
        """Make these chunks, already written, the contents of the index; remove all others."""
        languages = {
            language: {x.name: self.checksums[x.name] for x in every}
            for language, every in sorted(contents.items())
        }
        model = {"path": self._relative(), "fingerprint": fingerprint(self.model)}
        said = {"format": FORMAT, "model": model, "counter": self.counter, "languages": languages}
        with atomic_file(self.path / FILE) as path:
            path.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", "utf-8")
        kept = {f"{x.name}.arrow" for every in contents.values() for x in every}
        pairs = product(contents.values(), repeat=2)
        kept |= {f"{penalties_key(x, others)}{CSLS}" for every, others in pairs for x in every}
        for path in list(self.path.iterdir()):
            if OWN.fullmatch(path.name) and path.name not in kept:
                path.unlink()

    def check(self, contents: Contents) -> None:
        """Read all chunks, and compare them with their checksums."""
        for name in (x.name for every in contents.values() for x in every):
            path = self._file(name)
            if not path.exists() or _checksum(path) != self.checksums[name]:
                raise UserError(
                    f"{path}: missing, or its checksum differs from what was written: the disk may "
                    "be damaged; build the index again"
                )

    def penalties(self, key: str) -> np.ndarray | None:
        """Cached CSLS penalties, written by this or another process."""
        with suppress(*DAMAGED):
            return np.load(self.path / f"{key}{CSLS}", allow_pickle=False)
        return None

    def keep(self, key: str, penalties: np.ndarray) -> None:
        """Cache CSLS penalties, unless another process is writing or the folder is read-only."""
        path = self.path / f"{key}{CSLS}"
        with suppress(UserError, OSError), held(self.path), atomic_file(path) as temporary:
            np.save(temporary, penalties)

    def _file(self, name: str) -> Path:
        return self.path / f"{name}.arrow"

    def _check_place(self) -> None:
        """Refuse a folder with another use, and an index that lost its index.json."""
        if is_index(self.path) or not self.path.exists():
            return
        inside = self.path.iterdir() if self.path.is_dir() else [self.path]
        if others := [x.name for x in inside if not x.name.startswith(".")]:
            raise UserError(
                f"{self.path}: the folder has no {FILE}, but other files ({min(others)}): choose "
                "another folder for the index"
            )

    def _relative(self) -> str:
        """Path of the model, relative if the index is in the run's folder and so moves with it."""
        model, own = self.model.resolve(), self.path.resolve()
        origin = Results.of_model(model)
        if origin and own.is_relative_to(origin[0].folder):
            return Path(os.path.relpath(model, own)).as_posix()
        return model.as_posix()


def read_json(path: Path) -> dict[str, Any]:
    """Read index.json.

    Raises:
        UserError: it is missing, damaged or of another version.
    """
    try:
        said = json.loads((path / FILE).read_text(encoding="utf-8"))
        found = said["format"]
        if found == FORMAT:
            _check(said)
    except DAMAGED as error:
        pass_on(error)
        if not (path / FILE).exists():
            raise UserError(f"{path}: not an index; expected a folder with {FILE}") from error
        raise UserError(f"{path / FILE}: damaged ({error}); build the index again") from error
    if found != FORMAT:
        raise UserError(
            f"{path}: an index of format {found}, and this version reads {FORMAT}; remove the "
            "folder and build the index again (`cr5 index`)"
        )
    return said


def model_of(path: Path, given: Path | None) -> Path:
    """Path of the model of an index: the recorded one, or the caller's.

    Raises:
        UserError: it is missing, or a different model.
    """
    said = read_json(path)
    recorded = (path / said["model"]["path"]).resolve()
    try:
        place = place_of(given or recorded)
    except UserError as error:
        raise UserError(
            f"{path}: its model, {given or recorded}, is not there; say where it is now "
            "(--model, or open_index(..., model))"
        ) from error
    if said["languages"] and fingerprint(place) != said["model"]["fingerprint"]:
        raise UserError(
            f"{path}: this index was built with another model than {place}: with the one that was "
            f"at {recorded} then; name that one, or build the index again"
        )
    return place


def is_index(path: str | Path) -> bool:
    """Whether this is the folder of an index."""
    return (Path(path) / FILE).is_file()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            stack.enter_context(held(path))
        except TakenError:
            raise UserError(
                f"{path}: another process writes to this index; wait for its end"
            ) from None
        yield


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            checksum = zlib.crc32(part, checksum)
    return checksum


def _check(said: Mapping[str, Any]) -> None:
    """Raise `ValueError` or `LookupError` if anything is not as `Folder.commit` wrote it."""
    names = [name for every in said["languages"].values() for name in every]
    sums = [x for every in said["languages"].values() for x in every.values()]
    if not all(NAME.fullmatch(name) for name in names) or len(set(names)) < len(names):
        raise ValueError(f"expected numbers of six digits, each once, found {names}")
    if not all(type(x) is int for x in (said["counter"], *sums)):
        raise ValueError("expected whole numbers for `counter` and checksums")
    if said["counter"] < max(map(int, names), default=0):
        raise ValueError(f"`counter` is {said['counter']}, below the number of a chunk")
    if not all(isinstance(said["model"][x], str) for x in ("path", "fingerprint")):
        raise ValueError("expected `path` and `fingerprint` of the model")
