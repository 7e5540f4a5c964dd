"""What an index consists of: segments by language, and what was computed from them."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cr5.retrieval.indexes.segments import Segment

Contents = Mapping[str, tuple[Segment, ...]]  # by language


@dataclass(kw_only=True)
class Memory:
    """An index that is nowhere but in memory; a folder does the same, and writes it.

    Attributes:
        counter: of all that was ever put here: a name is never given twice.
        names: of what was last removed from a segment, by its name.
        penalties: that are known, by their names.
        graphs: for approximate search, by segment.
    """

    counter: int = 0
    names: dict[str, str] = field(default_factory=dict)
    penalties: dict[str, np.ndarray] = field(default_factory=dict)
    graphs: dict[str, Any] = field(default_factory=dict)

    @contextmanager
    def writing(self, contents: Contents) -> Iterator[Contents]:
        """Give what is in the index now."""
        yield contents

    def put(self, segment: Segment) -> Segment:
        """Give a new segment its name."""
        return replace(segment, name=self._next())

    def remove(self, segment: Segment) -> None:
        """Note that some of its texts were removed."""
        self.names[segment.name] = self._next()

    def commit(self, contents: Contents) -> None:
        """Let the index consist of these segments."""

    def check(self, contents: Contents) -> None:
        """Raise `UserError` where a file is not what was written; reads all of them."""

    def state(self, segments: Iterable[Segment]) -> str:
        """Name what is in these segments: another name once texts were added or removed."""
        return state_of((x.name, self.names.get(x.name)) for x in segments)

    def known(self, name: str) -> np.ndarray | None:
        """Penalties that were kept."""
        return self.penalties.get(name)

    def keep(self, name: str, penalties: np.ndarray) -> None:
        """Keep penalties."""
        self.penalties[name] = penalties

    def has_graph(self, name: str) -> bool:
        """Say whether a segment has a graph, which need not be loaded for that."""
        return name in self.graphs

    def graph(self, name: str, load: Callable[[str], Any]) -> Any:
        """The graph of a segment; None where none was built."""
        return self.graphs.get(name)

    def keep_graph(self, name: str, graph: Any) -> None:
        """Keep the graph of a segment."""
        self.graphs[name] = graph

    def _next(self) -> str:
        self.counter += 1
        return f"{self.counter:06}"


def state_of(names: Iterable[tuple[str, str | None]]) -> str:
    """Name the state of segments, from their names and those of what was removed."""
    return hashlib.sha256(json.dumps(list(names)).encode()).hexdigest()[:12]
