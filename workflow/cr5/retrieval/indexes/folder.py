"""An index on disk: a folder in which nothing changes but index.json, which is replaced last.

index.json      the model, and per language the segments
segments/N/     what was added at once (`segments`)
removed/N.npy   numbers of the texts of a segment that were removed
graphs/         for approximate search, one for each segment (`approximate`)
penalties/      of CSLS, kept once they are known: SEGMENT.LANGUAGE.STATE.npy (`hubness`)

Whoever is killed leaves the index as it was before; what it had written so far is in no
index.json, and whoever writes next removes it. A new index begins with an index.json that names
nothing: segments without any have lost theirs, and are kept.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.lock import held
from cr5.base.refusals import DAMAGED, pass_on
from cr5.retrieval.indexes import checksums, place, segments
from cr5.retrieval.indexes.file import FILE, FORMAT, damaged, is_index, read_json
from cr5.retrieval.indexes.identity import fingerprint
from cr5.retrieval.indexes.memory import Contents, Memory, state_of
from cr5.retrieval.indexes.segments import Segment
from cr5.retrieval.results import Results


@dataclass
class Folder(Memory):
    """Where an index is on disk.

    Attributes:
        path: of the folder.
        model: where its model is.
    """

    path: Path
    model: Path

    def read(self) -> Contents:
        """Map all segments into memory; again if meanwhile somebody wrote, and removed some.

        Raises:
            UserError: a file is missing or damaged, or of another version.
        """
        before = self._state()
        try:
            return self._read()
        except UserError:
            if self._state() == before:
                raise
        return self._read()

    def _state(self) -> bytes:
        with suppress(OSError):
            return (self.path / FILE).read_bytes()
        return b""

    def _read(self) -> Contents:
        said = read_json(self.path)
        self.counter = said["counter"]
        self.names = {
            each["name"]: each["removed"]
            for every in said["languages"].values()
            for each in every
            if each["removed"]
        }
        return {
            language: tuple(self._segment(each) for each in every)
            for language, every in said["languages"].items()
        }

    @contextmanager
    def writing(self, contents: Contents) -> Iterator[Contents]:
        """Lock the folder, give what is in it, and remove what a killed writer left.

        Raises:
            UserError: another process writes, or the folder cannot be written or read.
        """
        try:
            made = place.check(self.path)
            with held(self.path), place.withdrawn(self.path, made):
                yield self._ready()
        except UserError as error:
            if "another run" not in str(error):
                raise
            raise UserError(
                f"{self.path}: another process writes to this index; wait for its end"
            ) from None

    def put(self, segment: Segment) -> Segment:
        """Write a new segment and map it into memory; it counts once it is committed."""
        if not is_index(self.path):
            self.counter, self.names = 0, {}
            self._write({})
        name = self._next()
        said = segments.about(segment) | {"name": name}
        segments.save(self.path / "segments" / name, segment)
        return segments.load(self.path / "segments" / name, said, segment.removed)

    def remove(self, segment: Segment) -> None:
        """Write which of its texts were removed."""
        super().remove(segment)
        path = self.path / "removed" / f"{self.names[segment.name]}.npy"
        path.parent.mkdir(exist_ok=True)
        np.save(path, segment.removed)

    def commit(self, contents: Contents) -> None:
        """Let the index consist of these segments, all written before."""
        self._write(contents)
        self._clean()

    def _write(self, contents: Contents) -> None:
        languages = {
            language: [segments.about(x) | {"removed": self.names.get(x.name)} for x in every]
            for language, every in sorted(contents.items())
        }
        model = {"path": self._relative(), "fingerprint": fingerprint(self.model)}
        said = {"format": FORMAT, "model": model, "counter": self.counter, "languages": languages}
        with atomic_file(self.path / FILE) as path:
            path.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", "utf-8")

    def check(self, contents: Contents) -> None:
        """Read all segments, and compare them with what was written."""
        for segment in chain.from_iterable(contents.values()):
            found = next(checksums.changed(self.path / "segments" / segment.name), None)
            if found is not None:
                raise UserError(
                    f"{found}: missing, or not what was written (its checksum is another): the "
                    "disk may be damaged; build the index again"
                )

    def _segment(self, said: Mapping[str, Any]) -> Segment:
        removed = np.zeros(0, np.int64)
        folder = self.path / "segments" / said["name"]
        if said["removed"]:
            path = self.path / "removed" / f"{said['removed']}.npy"
            try:
                removed = np.load(path, allow_pickle=False)
            except DAMAGED as error:
                pass_on(error)
                raise damaged(path, error) from error
        return segments.load(folder, dict(said), removed)

    def known(self, name: str) -> np.ndarray | None:
        """Penalties that were kept, by this process or by another."""
        if name not in self.penalties:
            with suppress(*DAMAGED):
                self.penalties[name] = np.load(self._kept(name), allow_pickle=False)
        return super().known(name)

    def keep(self, name: str, penalties: np.ndarray) -> None:
        """Keep penalties; on disk only where nobody else writes just now, and anybody may."""
        super().keep(name, penalties)
        with suppress(UserError, OSError), held(self.path), atomic_file(self._kept(name)) as path:
            np.save(path, penalties)

    def has_graph(self, name: str) -> bool:
        """Say whether a segment has a graph, of this process or of another."""
        return super().has_graph(name) or (self.path / "graphs" / name).exists()

    def graph(self, name: str, load: Callable[[str], Any]) -> Any:
        """The graph of a segment; None where none was built."""
        path = self.path / "graphs" / name
        if name not in self.graphs and path.exists():
            self.graphs[name] = load(str(path))
        return super().graph(name, load)

    def keep_graph(self, name: str, graph: Any) -> None:
        """Write the graph of a segment; its file appears whole."""
        with atomic_file(self.path / "graphs" / name) as path:
            graph.save(str(path))

    def _kept(self, name: str) -> Path:
        return self.path / "penalties" / f"{name}.npy"

    def _relative(self) -> str:
        """An index in the folder of the run, results/NAME, moves with its model."""
        model, own = self.model.resolve(), self.path.resolve()
        origin = Results.of_model(model)
        if origin and own.is_relative_to(origin[0].folder):
            return Path(os.path.relpath(model, own)).as_posix()
        return model.as_posix()

    def _ready(self) -> Contents:
        if not is_index(self.path):
            return {}
        contents = self.read()
        self._clean()
        return contents

    def _clean(self) -> None:
        """Remove what index.json does not name."""
        said = read_json(self.path)["languages"]
        every = [each for some in said.values() for each in some]
        kept = {each["name"] for each in every} | {f"{each['removed']}.npy" for each in every}
        states = {x: state_of((y["name"], y["removed"]) for y in some) for x, some in said.items()}
        for path in place.own(self.path):
            segment, _, towards = path.name.removesuffix(".npy").partition(".")
            language, _, state = towards.rpartition(".")
            current = segment in kept and states.get(language) == state
            kinds = {"penalties": current, "graphs": segment in kept}
            if not kinds.get(path.parent.name, path.name in kept):
                place.remove(path)
