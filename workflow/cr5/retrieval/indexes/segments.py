"""Segments of an index: some texts of one language, embedded; on disk a folder that never changes.

documents.arrow             id and title of each text, mapped into memory
rows.npy                    dense rows
indptr, indices, data.npy   sparse rows; of some systems there are both
unknown.npy                 numbers of the texts of which the model knows no word
SHA256SUMS                  of all of these (`checksums`)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.refusals import DAMAGED, pass_on
from cr5.base.rows import Joined, Rows, norms, parts_of
from cr5.retrieval.indexes import checksums

SPARSE = ("indptr", "indices", "data")
BROKEN = (*DAMAGED, pa.ArrowException)


@dataclass(frozen=True, eq=False)
class Segment:
    """Texts in the order in which they were added.

    Attributes:
        name: of its own in an index.
        rows: n x r, float32.
        ids, titles: one each.
        unknown: numbers of those of which the model knows no word: they are never found.
        removed: numbers of those that were removed; of these too.
        largest: no row's l2 norm is larger.
    """

    name: str
    rows: Rows
    ids: pa.Array
    titles: pa.Array
    unknown: np.ndarray
    removed: np.ndarray
    largest: float

    @classmethod
    def of(cls, rows: Rows, ids: Sequence[str], titles: Sequence[str], unknown) -> "Segment":
        """Make one that has no name yet."""
        texts = (pa.array(x, pa.large_string()) for x in (ids, titles))
        largest = float(np.nextafter(norms(rows, "l2").max(initial=0), np.inf))
        nothing = np.zeros(0, np.int64)
        return cls("", rows, *texts, np.asarray(unknown, np.int64), nothing, largest)

    @property
    def n(self) -> int:
        """How many were added."""
        return self.rows.shape[0]

    @property
    def hidden(self) -> np.ndarray:
        """Numbers of those that are never found."""
        return np.union1d(self.unknown, self.removed)

    @cached_property
    def is_finite(self) -> bool:
        """Whether no row has nan or inf; reads all rows, once, as an exact search does anyway."""
        with np.errstate(all="ignore"):
            sums = (x @ np.ones(x.shape[1], np.float32) for x in parts_of(self.rows))
            return all(np.isfinite(x).all() for x in sums)

    def barred(self) -> np.ndarray:
        """What bars them from being found, as `search.best` wants it: (n,), (0,) for none."""
        hidden = self.hidden
        if not len(hidden):
            return np.zeros(0, np.float32)
        barred = np.zeros(self.n, np.float32)
        barred[hidden] = np.inf
        return barred

    def numbers_of(self, ids: pa.Array) -> np.ndarray:
        """The numbers of those that are here and were not removed."""
        found = pc.index_in(ids, value_set=self.ids).drop_null().to_numpy(zero_copy_only=False)
        return np.setdiff1d(found.astype(np.int64), self.removed)

    def without(self, numbers: np.ndarray) -> "Segment":
        """The same with some of them removed."""
        return replace(self, removed=np.union1d(self.removed, numbers))


def check_finite(segments: Iterable[Segment], language: str) -> None:
    """Raise `UserError` where a row has nan or inf."""
    if not all(segment.is_finite for segment in segments):
        raise no_model_made(language)


def no_model_made(language: str) -> UserError:
    """Say that rows are damaged."""
    return UserError(
        f"the index is damaged: texts in {language!r} have vectors that no model made; `cr5 info "
        "INDEX` (in Python: Index.check) names the file; build the index again"
    )


def save(folder: Path, segment: Segment) -> None:
    """Write what never changes; the folder must not be there."""
    folder.mkdir(parents=True)
    documents = pa.table({"id": segment.ids, "title": segment.titles})
    path = str(folder / "documents.arrow")
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, documents.schema) as writer:
        writer.write_table(documents)
    np.save(folder / "unknown.npy", segment.unknown)
    for part in parts_of(segment.rows):
        if sparse.issparse(part):
            for name in SPARSE:
                np.save(folder / f"{name}.npy", getattr(part, name))
        else:
            np.save(folder / "rows.npy", np.ascontiguousarray(part, np.float32))
    checksums.write(folder)


def about(segment: Segment) -> dict[str, Any]:
    """What is kept of a segment elsewhere."""
    widths = {"dense": 0, "sparse": 0}
    for part in parts_of(segment.rows):
        widths["sparse" if sparse.issparse(part) else "dense"] = part.shape[1]
    return {"name": segment.name, "texts": segment.n, "largest": segment.largest} | widths


def load(folder: Path, said: dict[str, Any], removed: np.ndarray) -> Segment:
    """Map a segment into memory.

    Args:
        folder: where `save` wrote it.
        said: what `about` said of it.
        removed: numbers of texts.

    Raises:
        UserError: a file is missing or damaged.
    """
    try:
        file = pa.ipc.open_file(pa.memory_map(str(folder / "documents.arrow")))
        documents = file.read_all()
        ids, titles = (_one(documents[name]) for name in ("id", "title"))
        segment = Segment(
            said["name"],
            _rows(folder, said["texts"], said["dense"], said["sparse"]),
            ids,
            titles,
            np.load(folder / "unknown.npy", allow_pickle=False),
            removed,
            said["largest"],
        )
        _check(segment, said)
        return segment
    except BROKEN as error:
        pass_on(error)
        raise UserError(
            f"{folder}: a segment of an index is damaged ({error}); build the index again"
        ) from error


def _check(segment: Segment, said: dict[str, Any]) -> None:
    """Raise `ValueError` where the parts do not belong together."""
    sizes = [segment.n, len(segment.ids), len(segment.titles)]
    if sizes != [said["texts"]] * 3:
        raise ValueError(f"{sizes} rows, ids and titles, {said['texts']} expected")
    if not segment.ids.type == segment.titles.type == pa.large_string():
        raise ValueError("ids or titles are no text")
    for name in ("unknown", "removed"):
        numbers = getattr(segment, name)
        if numbers.ndim != 1 or numbers.dtype != np.int64:
            raise ValueError(f"{name}: expected numbers of texts, found {numbers.dtype}")
        if not ((numbers >= 0) & (numbers < segment.n)).all():
            raise ValueError(f"{name}: expected numbers from 0 to {segment.n - 1}")


def _one(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def _rows(folder: Path, n: int, dense: int, thin: int) -> Rows:
    parts: list[Any] = []
    if dense:
        rows = _mapped(folder / "rows.npy")
        if rows.shape != (n, dense) or rows.dtype != np.float32:
            raise ValueError(f"rows of shape {rows.shape}, {rows.dtype}; {n} x {dense} expected")
        parts.append(rows)
    if thin:
        indptr, indices, data = (_mapped(folder / f"{name}.npy") for name in SPARSE)
        if len(indices) != indptr[-1] or len(data) != indptr[-1]:
            raise ValueError(f"{len(indices)} indices, {len(data)} numbers, {indptr[-1]} expected")
        if data.dtype != np.float32 or (np.diff(indptr) < 0).any():
            raise ValueError("indptr, or the numbers, are not those of sparse rows")
        parts.append(sparse.csr_matrix((data, indices, indptr), (n, thin), copy=False))
    return Joined(*parts) if len(parts) == 2 else parts[0]


def _mapped(path: Path) -> np.ndarray:
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return np.asarray(array)  # slices of a memmap are slow to make
