"""Small segments are put together, and those of which most was removed are written anew.

Each segment costs time in every search, and in whatever is written. A text that is added is
written again only as often as the segment in which it lies doubles, and never in one of more than
`adding.SEGMENT`: memory holds no more. No result rests on how texts lie in segments.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

import numpy as np
import pyarrow as pa

from cr5.base.rows import stacked
from cr5.retrieval.indexes import adding
from cr5.retrieval.indexes.memory import Contents, Memory
from cr5.retrieval.indexes.segments import Segment, check_finite


def settle(store: Memory, before: Contents, after: Contents) -> Contents:
    """Write whatever is to be in an index and is not yet written; it has to be committed then.

    Args:
        store: of the index.
        before: its contents.
        after: the same with texts removed or added; new segments are written already.
    """
    old = set(chain.from_iterable(before.values()))
    found = {}
    for language, segments in after.items():
        lasting = merged(segments, store.has_graph)
        check_finite((x for x in lasting if not x.name), language)  # else new checksums hide it
        found[language] = tuple(_written(store, each, old) for each in lasting)
    return found


def merged(segments: Iterable[Segment], has_graph: Callable[[str], bool]) -> list[Segment]:
    """Merge neighbours, in order.

    Args:
        segments: of a language.
        has_graph: whether a segment has one, by its name: it would be lost, and stays as it is.

    Returns:
        The same segments, or new ones without a name.
    """
    groups: list[list[Segment]] = []
    for segment in segments:
        if not _size([segment]):
            continue
        groups.append([segment])
        while len(groups) > 1 and _belong_together(*groups[-2:], has_graph):
            last = groups.pop()
            groups[-1] += last
    return [_one(group, has_graph) for group in groups]


def _belong_together(
    before: list[Segment], after: list[Segment], has_graph: Callable[[str], bool]
) -> bool:
    sizes = _size(before), _size(after)
    if sizes[0] >= 2 * sizes[1] or sum(sizes) > adding.SEGMENT:
        return False
    return not any(has_graph(x.name) for x in (*before, *after))


def _one(group: list[Segment], has_graph: Callable[[str], bool]) -> Segment:
    (first, *others) = group
    if not others and (2 * len(first.removed) <= first.n or has_graph(first.name)):
        return first
    return _joined(group)


def _size(segments: Sequence[Segment]) -> int:
    return sum(x.n - len(x.removed) for x in segments)


def _joined(segments: Sequence[Segment]) -> Segment:
    kept = [np.setdiff1d(np.arange(x.n), x.removed) for x in segments]
    parts = list(zip(segments, kept, strict=True))
    ids, titles = (
        list(chain.from_iterable(getattr(x, name).take(pa.array(n)).to_pylist() for x, n in parts))
        for name in ("ids", "titles")
    )
    unknown = np.concatenate([np.isin(n, x.unknown) for x, n in parts])
    return Segment.of(stacked([x.rows[n] for x, n in parts]), ids, titles, np.flatnonzero(unknown))


def _written(store: Memory, segment: Segment, old: set[Segment]) -> Segment:
    if not segment.name:
        return store.put(segment)
    if segment not in old and len(segment.removed):
        store.remove(segment)
    return segment
