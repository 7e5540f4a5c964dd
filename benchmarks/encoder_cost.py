"""Time and memory of an encoder of others: texts of several lengths, and an index of short ones.

.venv/bin/python -m benchmarks.encoder_cost e5_small                   # 200 texts of each length
.venv/bin/python -m benchmarks.encoder_cost use_multilingual --index 100000

Texts are pieces of the English documents of a finished run; rows are kept nowhere.
"""

import argparse
from itertools import chain

import pyarrow.parquet as pq

import cr5
from benchmarks.measure import measured
from cr5.models.encoders.opening import checksum, opened
from cr5.models.text_encoder import TextEncoder
from cr5.retrieval.embedder import Embedder

LENGTHS = (1, 8, 50, 150, 500)
LENGTH_IN_INDEX = 8
DOCUMENTS = "results/libreoffice_help/documents/en/documents.parquet"


def pieces(words: list[str], length: int, n_texts: int) -> list[str]:
    """Return texts of that many words, from the beginning again where there are no more."""
    starts = range(0, len(words) - length, length)
    return [" ".join(words[starts[i % len(starts)] :][:length]) for i in range(n_texts)]


def print_texts(model: TextEncoder, words: list[str], n_texts: int) -> None:
    """Print what a thousand texts of each length take."""
    for length in LENGTHS:
        cut = pieces(words, length, n_texts)
        _, cost = measured(lambda cut=cut: model.embed(cut, "en"))
        seconds = 1000 * cost.cpu / n_texts
        print(f"{length:>4} words: {seconds:8.1f} s CPU a thousand texts, {cost}", flush=True)


def print_index(model: TextEncoder, words: list[str], name: str, n_texts: int) -> None:
    """Print what an index of short texts takes to build, and a query."""
    index = cr5.Index(Embedder(model, {"system": name}, name))
    cut = pieces(words, LENGTH_IN_INDEX, n_texts)
    _, cost = measured(lambda: index.add(range(n_texts), cut, "en"))
    print(f"index of {n_texts:,}: {cost}", flush=True)
    _, cost = measured(lambda: index.search(cut[:10], "en"))
    print(f"ten queries: {cost}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("encoder", help="e5_small, use_multilingual, or a folder")
    parser.add_argument("--texts", type=int, default=200, help="of each length")
    parser.add_argument("--index", type=int, default=0, help="texts in an index; 0: none is built")
    parser.add_argument("--documents", default=DOCUMENTS, help="documents.parquet of a run")
    options = parser.parse_args()
    documents = pq.read_table(options.documents, columns=["text"])["text"].to_pylist()
    words = list(chain.from_iterable(document.split() for document in documents))
    sha256 = checksum(options.encoder)
    encoder = opened(options.encoder, sha256)
    prefix = encoder.query_prefix
    model = TextEncoder({"en": []}, options.encoder, sha256, prefix, prefix)
    _, cost = measured(lambda: model.embed(["a"], "en"))
    print(f"opened, with one text: {cost}", flush=True)
    if options.texts:
        print_texts(model, words, options.texts)
    if options.index:
        print_index(model, words, options.encoder, options.index)


if __name__ == "__main__":
    main()
