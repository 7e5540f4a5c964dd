"""Where the chunks of a collection are: in memory here, in a folder in `index_folder`."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from threading import Lock

import numpy as np

from cr5.retrieval.chunks import Chunk

Contents = Mapping[str, Sequence[Chunk]]
"""Chunks by language; never changed in place, so that a search keeps those it began with."""


class Memory:
    """Chunks in memory; any number of threads may read, one at a time writes."""

    def __init__(self, contents: Contents | None = None) -> None:
        """Start with these chunks, each with a name of its own."""
        self._contents = contents or {}
        self._penalties: dict[str, np.ndarray] = {}
        self._counter = 0
        self._lock = Lock()

    def contents(self) -> Contents:
        """Return what there is now."""
        return self._contents

    @contextmanager
    def writing(self) -> Iterator[Contents]:
        """Yield the contents; no other thread changes them meanwhile."""
        with self._lock:
            yield self.contents()

    def put(self, chunk: Chunk) -> Chunk:
        """Give a new chunk a name; it takes effect once committed."""
        self._counter += 1
        return replace(chunk, name=f"{self._counter:06}")

    def commit(self, contents: Contents) -> None:
        """Make these chunks, already put, the contents."""
        self._contents = contents
        valid = penalties_keys(contents)
        self._penalties = {x: y for x, y in self._penalties.copy().items() if x in valid}

    def check(self) -> None:
        """Compare what is stored with what was written."""

    def penalties(self, key: str) -> np.ndarray | None:
        """Return what CSLS subtracts from the texts of a chunk, if it is known."""
        return self._penalties.get(key)

    def keep(self, key: str, penalties: np.ndarray) -> None:
        """Keep what CSLS subtracts from the texts of a chunk."""
        self._penalties[key] = penalties


def penalties_key(chunk: Chunk, neighbours: Sequence[Chunk]) -> str:
    """Key of the CSLS penalties of a chunk; different texts give a different key."""
    names = [chunk.name, *(x.name for x in neighbours)]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]


def penalties_keys(contents: Contents) -> set[str]:
    """The keys of all chunks, with the texts of any language as neighbours."""
    pairs = product(contents.values(), repeat=2)
    return {penalties_key(chunk, others) for every, others in pairs for chunk in every}
