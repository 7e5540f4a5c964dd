"""The files of embedded texts of one language, which are mapped into memory.

Those of Italian ones are:

it.arrow                Feather: `TextData.table`, and the width of each of the following
it.vector.npy           rows without strings, n x r
it.sparse.starts.npy    rows of strings: where those of each text begin, and the last ones end;
it.sparse.columns.npy   their columns
it.sparse.numbers.npy   and numbers; some systems have both kinds of rows
it.words...             likewise the weights of words for a second stage
"""

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import feather
from scipy import sparse

from cr5.base.errors import UserError
from cr5.base.rows import HybridRows, parts_of
from cr5.retrieval.texts import TextData

ENDING = ".arrow"
DENSE = "vector"
SPARSE = "sparse"
WORDS = "words"
STARTS = "starts"
COLUMNS = "columns"
NUMBERS = "numbers"
NO_HEADER = (SyntaxError, TokenError)  # what NumPy raises, beside ValueError, for damaged headers


class ArrayFile:
    """A file of NumPy that grows; when it is closed its header says how many rows there are."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._n = 0
        self._about: dict[str, Any] = {}

    def add(self, values: np.ndarray) -> None:
        """Write the next rows, or numbers."""
        if not self._about:
            self._about = np.lib.format.header_data_from_array_1_0(np.ascontiguousarray(values))
            self._write_header()
        self._n += len(values)
        self._file.write(np.ascontiguousarray(values).data)

    def close(self) -> None:
        """Write the header, for which there is space."""
        if self._about:
            self._file.seek(0)
            self._write_header()
        self._file.close()

    def _write_header(self) -> None:
        shape = (self._n, *self._about["shape"][1:])
        np.lib.format.write_array_header_1_0(self._file, {**self._about, "shape": shape})


class SparseFiles:
    """The files of sparse rows that grow."""

    def __init__(self, folder: Path, name: str) -> None:
        self._starts = ArrayFile(folder / f"{name}.{STARTS}.npy")
        self._columns = ArrayFile(folder / f"{name}.{COLUMNS}.npy")
        self._numbers = ArrayFile(folder / f"{name}.{NUMBERS}.npy")
        self._starts.add(np.zeros(1, np.int64))
        self._n_entries = 0

    def add(self, rows: sparse.csr_matrix) -> None:
        """Write the next rows."""
        ends = rows.indptr[1:].astype(np.int64) + self._n_entries
        self._starts.add(ends)
        self._columns.add(rows.indices.astype(np.int32))
        self._numbers.add(rows.data)
        self._n_entries += rows.nnz

    def close(self) -> None:
        """Write the headers."""
        for file in (self._starts, self._columns, self._numbers):
            file.close()


class TextsWriter:
    """Writes texts of one language to their files, some after the other."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._table: pa.RecordBatchFileWriter | None = None
        self._arrays: dict[str, ArrayFile | SparseFiles] = {}

    def add(self, texts: TextData) -> None:
        """Write the next texts."""
        matrices = _matrices(texts)
        if self._table is None:
            widths = {name: str(matrix.shape[1]) for name, matrix in matrices.items()}
            schema = texts.table.schema.with_metadata(widths)
            self._table = pa.ipc.new_file(str(self._folder / f"{self._name}{ENDING}"), schema)
        self._table.write_table(texts.table)
        for name, matrix in matrices.items():
            self._file(name, matrix).add(matrix)

    def close(self) -> None:
        """End all files."""
        if self._table is not None:
            self._table.close()
        for file in self._arrays.values():
            file.close()

    def _file(self, name: str, matrix: np.ndarray | sparse.csr_matrix) -> ArrayFile | SparseFiles:
        """Return the file of a matrix, or its files."""
        if name not in self._arrays:
            full_name = f"{self._name}.{name}"
            if sparse.issparse(matrix):
                self._arrays[name] = SparseFiles(self._folder, full_name)
            else:
                self._arrays[name] = ArrayFile(self._folder / f"{full_name}.npy")
        return self._arrays[name]


def _matrices(texts: TextData) -> dict[str, np.ndarray | sparse.csr_matrix]:
    """Return all that is a matrix, by the name of its file."""
    matrices = {}
    for part in parts_of(texts.rows):
        name = SPARSE if sparse.issparse(part) else DENSE
        matrices[name] = part
    if texts.words is not None:
        matrices[WORDS] = texts.words
    return matrices


def read(folder: Path, name: str) -> TextData:
    """Map files into memory; UserError if they are damaged."""
    path = folder / f"{name}{ENDING}"
    try:
        table = feather.read_table(path, memory_map=True)
        matrices = {}
        for key, width in (table.schema.metadata or {}).items():
            matrix = key.decode()
            shape = (table.num_rows, int(width))
            matrices[matrix] = _read_matrix(folder, f"{name}.{matrix}", matrix == DENSE, shape)
    except (pa.ArrowException, OSError, ValueError, *NO_HEADER) as error:
        raise UserError(f"{path}: damaged ({error}); make it again") from error
    parts = [matrices[name] for name in (DENSE, SPARSE) if name in matrices]
    rows = HybridRows(*parts) if len(parts) == 2 else parts[0]
    return TextData(table, rows, matrices.get(WORDS))


def _read_matrix(
    folder: Path, name: str, is_dense: bool, shape: tuple[int, int]
) -> np.ndarray | sparse.csr_matrix:
    """Map a matrix of a shape; ValueError if it is another one."""
    if is_dense:
        rows = _mapped(folder / f"{name}.npy")
        if rows.shape != shape:
            raise ValueError(f"{name}: {rows.shape} numbers, not {shape}")
        return rows
    starts = _mapped(folder / f"{name}.{STARTS}.npy")
    columns = _mapped(folder / f"{name}.{COLUMNS}.npy")
    numbers = _mapped(folder / f"{name}.{NUMBERS}.npy")
    return sparse.csr_matrix((numbers, columns, starts), shape, copy=False)


def _mapped(path: Path) -> np.ndarray:
    """Map an array; as a plain one, whose slices are faster to make than those of np.memmap.

    ValueError, or one of `NO_HEADER`: its header is damaged.
    """
    mapped = np.load(path, mmap_mode="r")
    is_of_numbers = mapped.dtype.kind in "fi" and mapped.dtype.isnative
    if not is_of_numbers or mapped.offset + mapped.nbytes != path.stat().st_size:
        raise ValueError(f"{path.name}: its header is not of its numbers")
    return np.asarray(mapped)
