"""`cr5 embed`: texts to vectors."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from cr5.app import batches, output, place, texts
from cr5.base.errors import UserError
from cr5.base.files import atomic_file
from cr5.base.rows import Rows
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.given import check_texts

BATCH = 1000


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    place.add(parser)
    parser.add_argument("--language", required=True, help="of the texts")
    parser.add_argument(
        "--target-language",
        "--towards",
        help="language of what they are compared with, where a model asks for it",
    )
    parser.add_argument(
        "--out", metavar="FILE.npy", help="write the vectors there as an array; a row a text"
    )
    texts.add(parser)


def run(given: argparse.Namespace) -> None:
    """Print JSON lines with `id` and `vector`, or write an array."""
    embedder = place.model(given)
    found = _embedded(embedder, given)
    if given.out is None:
        for ids, rows in found:
            for identity, row in zip(ids, rows.tolist(), strict=True):
                print(output.as_line({"id": identity, "vector": row}))
        return
    if not given.out.endswith(".npy"):
        raise UserError(f"{given.out}: an array of numpy is written, so let the name end in .npy")
    with atomic_file(given.out) as path:
        _save(path, (rows for _, rows in found))
    print(f"{given.out} is written", file=sys.stderr)


def _save(path: Path, batches: Iterator[np.ndarray]) -> None:
    """Write an array batch by batch: for many texts it may not fit in memory."""
    n = 0
    with path.open("wb") as file:
        for rows in batches:
            if n == 0:
                _write_header(file, rows, n)
            file.write(np.ascontiguousarray(rows).data)
            n += len(rows)
        # numpy leaves room in the header for any number of rows
        file.seek(0)
        _write_header(file, rows, n)


def _write_header(file: BinaryIO, rows: np.ndarray, n: int) -> None:
    header = {"descr": rows.dtype.str, "fortran_order": False, "shape": (n, rows.shape[1])}
    np.lib.format.write_array_header_1_0(file, header)


def _embedded(embedder: Embedder, given: argparse.Namespace) -> Iterator[tuple[list[str], Rows]]:
    language, target = given.language, given.target_language
    for batch in batches.read(given, BATCH):
        ids = [x.id for x in batch]
        found = check_texts(x.text for x in batch)
        counts = embedder.count_known(found, language, target, ids)
        rows = embedder.embed_counts(counts, language, target)
        if not isinstance(rows, np.ndarray):
            raise UserError(
                f"{embedder.place}: its vectors are as wide as the vocabulary, and nearly all "
                "zeros; `cr5 search` compares them"
            )
        yield ids, rows
