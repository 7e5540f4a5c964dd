"""Embedded texts of one language, in chunks of bounded size; each is an Arrow file on disk.

Columns: id, title, known, and `whole`, whether the id was given as a whole number; `dense`, a list
of numbers of the same length for each text, or `indices` and `values` of sparse rows; some systems
have both. Of models with a second stage also `words` and `word_weights`, lists; of those that keep
training documents `hubness LANGUAGE`. Files are mapped into memory.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.refusals import DAMAGED, pass_on
from cr5.base.rows import HybridRows, Rows, norms, parts_of, stacked

SIZE = 1 << 16  # most texts of a chunk
SPARSE = "indices", "values"
WORDS = "words", "word_weights"
HUBNESS = "hubness "  # begins the names of columns


@dataclass(frozen=True, eq=False)
class Chunk:
    """Texts in the order in which they were added.

    Attributes:
        rows: n x r, float32.
        ids, titles: one per text.
        known: whether the model has learned a word of the text; other texts are never found.
        whole: which ids were given as whole numbers.
        largest: upper bound of the rows' l2 norms.
        name: unique in a collection; empty for a new chunk.
        checksum: of its file.
        words: n x vocabulary, the weights of the texts' words (`search.word_matches`); None if the
            model has no second stage.
        hubness: by language of queries, r(y) of each text (`hubs`); empty if the model keeps no
            training documents.
    """

    rows: Rows
    ids: pa.Array
    titles: pa.Array
    known: np.ndarray
    whole: np.ndarray
    largest: float
    name: str = ""
    checksum: int = 0
    words: sparse.csr_matrix | None = None
    hubness: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rows: Rows, ids: Sequence[str | int], titles: Sequence[str], known, words=None
    ) -> "Chunk":
        """Make a new chunk."""
        texts = (pa.array(map(str, x), pa.large_string()) for x in (ids, titles))
        whole = np.array([not isinstance(x, str) for x in ids], bool)
        largest = float(np.nextafter(norms(rows, "l2").max(initial=0), np.inf))
        return cls(rows, *texts, np.asarray(known, bool), whole, largest, words=words)

    @property
    def n(self) -> int:
        """Number of texts."""
        return self.rows.shape[0]

    @property
    def penalties(self) -> np.ndarray:
        """Penalties for `search.best` that exclude unknown texts."""
        if self.known.all():
            return np.zeros(0, np.float32)
        return np.where(self.known, 0, np.inf).astype(np.float32)

    def ids_at(self, numbers: np.ndarray) -> list[str | int]:
        """The ids of the texts of these numbers, as they were given."""
        ids = self.ids.take(pa.array(numbers)).to_pylist()
        return [int(x) if y else x for x, y in zip(ids, self.whole[numbers], strict=True)]

    @cached_property
    def is_sound(self) -> bool:
        """Whether all rows are consistent with `largest`; reads them, as a search does anyway."""
        with np.errstate(all="ignore"):
            for part in parts_of(self.rows):
                most = 1.01 * self.largest * np.sqrt(part.shape[1])  # Cauchy-Schwarz
                if not (np.abs(part @ np.ones(part.shape[1], np.float32)) <= most).all():
                    return False
        return True

    def numbers_of(self, ids: pa.Array) -> np.ndarray:
        """The row numbers of those ids that are in the chunk, ascending."""
        found = pc.index_in(ids, value_set=self.ids).drop_null().to_numpy(zero_copy_only=False)
        return np.sort(found.astype(np.int64))

    def without(self, numbers: np.ndarray) -> "Chunk":
        """A new chunk without the texts of these numbers."""
        kept = np.setdiff1d(np.arange(self.n), numbers)
        ids, titles = (x.take(pa.array(kept)) for x in (self.ids, self.titles))
        flags = self.known[kept], self.whole[kept]
        words = None if self.words is None else self.words[kept]
        hubness = {x: values[kept] for x, values in self.hubness.items()}
        return Chunk(
            self.rows[kept], ids, titles, *flags, self.largest, words=words, hubness=hubness
        )


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """A new chunk of all texts of the chunks."""
    return Chunk(
        stacked([x.rows for x in chunks]),
        pa.concat_arrays([x.ids for x in chunks]),
        pa.concat_arrays([x.titles for x in chunks]),
        np.concatenate([x.known for x in chunks]),
        np.concatenate([x.whole for x in chunks]),
        max(x.largest for x in chunks),
        words=None if chunks[0].words is None else stacked([x.words for x in chunks]),
        hubness={y: np.concatenate([x.hubness[y] for x in chunks]) for y in chunks[0].hubness},
    )


def check_sound(chunks: Iterable[Chunk], language: str) -> None:
    """Raise `UserError` if a row has nan, inf, or numbers that are too large."""
    if not all(chunk.is_sound for chunk in chunks):
        raise UserError(
            f"the index is damaged: texts in {language!r} have vectors that no model made; `cr5 "
            "info INDEX` (in Python: Index.check) names the file; build the index again"
        )


def save(path: Path, chunk: Chunk) -> None:
    """Write a chunk; the file appears whole.

    Args:
        path: of the file.
        chunk: what to write.
    """
    columns = {"id": chunk.ids, "title": chunk.titles, "known": pa.array(chunk.known)}
    columns["whole"] = pa.array(chunk.whole)
    columns |= {f"{HUBNESS}{x}": pa.array(values) for x, values in chunk.hubness.items()}
    said = {"largest": chunk.largest.hex()}
    for part in parts_of(chunk.rows):
        if sparse.issparse(part):
            said["width"] = str(part.shape[1])
            columns |= _lists(part, *SPARSE)
        else:
            values = pa.array(np.ascontiguousarray(part, np.float32).ravel())
            columns["dense"] = pa.FixedSizeListArray.from_arrays(values, part.shape[1])
    if chunk.words is not None:
        said["n_words"] = str(chunk.words.shape[1])
        columns |= _lists(chunk.words, *WORDS)
    batch = pa.record_batch(list(columns.values()), list(columns)).replace_schema_metadata(said)
    with (
        atomic_file(path) as temporary,
        pa.OSFile(str(temporary), "wb") as file,
        pa.ipc.new_file(file, batch.schema) as writer,
    ):
        writer.write_batch(batch)


def load(path: Path, checksum: int = 0) -> Chunk:
    """Map a chunk into memory.

    Args:
        path: of the file.
        checksum: its CRC-32, to remember with it.

    Raises:
        UserError: the file is missing or damaged.
    """
    try:
        batch = pa.ipc.open_file(pa.memory_map(str(path))).get_batch(0)
        batch.validate(full=True)
        said = {key.decode(): value.decode() for key, value in batch.schema.metadata.items()}
        texts = [batch[name].cast(pa.large_string()) for name in ("id", "title")]
        known, whole = (_flags(batch, name) for name in ("known", "whole"))
        largest = float.fromhex(said["largest"])
        words = _matrix(batch, *WORDS, said["n_words"]) if "n_words" in said else None
        about = known, whole, largest, path.stem, checksum, words, _hubness(batch)
        return Chunk(_rows(batch, said), *texts, *about)
    except (*DAMAGED, pa.ArrowException) as error:
        pass_on(error)
        raise UserError(f"{path}: damaged ({error}); build the index again") from error


def _flags(batch: pa.RecordBatch, name: str) -> np.ndarray:
    """A column of yes and no; earlier versions wrote no `whole`."""
    if name == "whole" and name not in batch.schema.names:
        return np.zeros(batch.num_rows, bool)
    return batch[name].to_numpy(zero_copy_only=False)


def _hubness(batch: pa.RecordBatch) -> dict[str, np.ndarray]:
    names = [name for name in batch.schema.names if name.startswith(HUBNESS)]
    found = {name.removeprefix(HUBNESS): batch[name].to_numpy() for name in names}
    for language, values in found.items():
        if values.dtype != np.float32 or not np.isfinite(values).all():
            raise ValueError(f"hubness for {language} is not finite float32")
    return found


def _rows(batch: pa.RecordBatch, said: dict[str, str]) -> Rows:
    parts = []
    if "dense" in batch.schema.names:
        parts.append(batch["dense"].flatten().to_numpy().reshape(batch.num_rows, -1))
    if "values" in batch.schema.names:
        parts.append(_matrix(batch, *SPARSE, said["width"]))
    if not all(part.dtype == np.float32 for part in parts):
        raise ValueError("vectors are not float32")
    return HybridRows(*parts) if len(parts) == 2 else parts[0]


def _lists(rows: sparse.csr_matrix, *names: str) -> dict[str, pa.Array]:
    """Columns of the column numbers and the values of sparse rows."""
    starts, parts = pa.array(rows.indptr, pa.int64()), (rows.indices, rows.data)
    return {
        name: pa.LargeListArray.from_arrays(starts, pa.array(values))
        for name, values in zip(names, parts, strict=True)
    }


def _matrix(batch: pa.RecordBatch, indices: str, values: str, width: str) -> sparse.csr_matrix:
    """Read sparse rows from what `_lists` made."""
    columns, numbers = batch[indices], batch[values]
    found = (numbers.values.to_numpy(), columns.values.to_numpy(), columns.offsets.to_numpy())
    return sparse.csr_matrix(found, (batch.num_rows, int(width)), copy=False)
