"""The cost of a run before anything is fetched: Wikipedia's dumps, and training word vectors.

Sizes are those of 2023 (`wikipedia_sizes.md`), scaled to the reported exports of 2026: English has
45 GB as `content` (all namespaces), 39 GB as `cirrus`; `parquet` is there already. Text is kept in
Parquet files of 0.36 times its size (help pages in English and Vietnamese).

benchmarks/wikipedia_chain.py measured 4.5 bytes of XML per byte of bz2, and beside other work 10.9
to 15.5 MB of XML per CPU-second; as `cirrus` about 13, as `parquet` 68.6 and 95.1.

Word vectors are extrapolated from small measurements. Measured with gensim 4.4 on a made-up corpus
after Zipf's law, d = 300: 13.3 microseconds per word and epoch with
fastText, 5.3 with word2vec (29,000 distinct words; larger vocabularies may take longer); two
threads took 0.57 of the time of one. Memory was 5.3 and 4.1 times that of the vectors (159,000
words), without fastText's n-grams.

The vocabulary grows with the text (Heaps' law): fastText's published vectors of the English
Wikipedia of 2016, some 2.4 billion words, have 2,519,370 words that occur at least five times.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cr5.corpora.fetch.progress import duration

MICROSECONDS = {"fasttext": 13.3, "word2vec": 5.3}  # at d = 300
COPIES = {"fasttext": 5.3, "word2vec": 4.1}
SECOND_THREAD = 0.75  # of the first one's work
USEFUL_THREADS = 8  # one thread reads the text for all of them
VOCABULARY, TEXT, HEAPS = 2.52e6, 2.4e9, 0.6
STRINGS = 1000  # bytes per word of the vocabulary, for all rarer words


@dataclass(frozen=True)
class Cost:
    """The cost of one language's vectors.

    Attributes:
        seconds: with the threads of the options.
        bytes: bytes of memory.
    """

    seconds: float
    bytes: float


def of_vectors(words: float, options: Mapping[str, Any]) -> Cost:
    """Extrapolate the cost.

    Args:
        words: number of words of the text.
        options: the section `vectors`.
    """
    algorithm, dimension = options["algorithm"], options["dimension"]
    each = MICROSECONDS[algorithm] * 1e-6 * max(1 / 3, dimension / 300)
    workers = 1 + SECOND_THREAD * (min(options["threads"], USEFUL_THREADS) - 1)
    vocabulary = VOCABULARY * (words / TEXT) ** HEAPS
    rows = COPIES[algorithm] * vocabulary
    rows += options["buckets"] if algorithm == "fasttext" else 0
    return Cost(
        words * options["epochs"] * each / workers, rows * dimension * 4 + STRINGS * vocabulary
    )


SIZES = Path(__file__).with_name("wikipedia_sizes.csv")
GROWTH = {"content": 2.04, "cirrus": 1.77, "legacy": 1.07, "parquet": 0}
ARTICLES = GROWTH["legacy"]
XML_PER_BYTE = 4.5
XML_PER_SECOND = {"content": 12e6, "cirrus": 13e6, "legacy": 12e6, "parquet": 82e6}
KEPT = 0.36  # bytes of a file of documents per byte of their text
WORD = 6  # bytes of a word and the space after it, at one byte per letter
LINE = 10e6  # bytes per second of a download, an assumption
TOLD = 4  # languages that are named


@dataclass(frozen=True)
class Size:
    """The size of one Wikipedia in 2023.

    Attributes:
        dump: bytes of pages-articles as bz2.
        text: bytes of its articles.
        words: number of words in its articles.
    """

    dump: float
    text: float
    words: float


@cache
def sizes() -> dict[str, Size]:
    """Return the known sizes by language."""
    with SIZES.open(encoding="utf-8", newline="") as file:
        return {row["language"]: _size(row) for row in csv.DictReader(file)}


def _size(row: Mapping[str, str]) -> Size:
    text = 1e6 * float(row["text_mb"])
    return Size(1e6 * float(row["dump_mb"]), text, text / (WORD * int(row["letter_bytes"])))


def download_bytes(config: Mapping[str, Any]) -> float:
    """Return the bytes that are fetched and kept, for known languages."""
    return GROWTH[config["corpus"]["product"]] * sum(x.dump for x in _known(config).values())


def disk_bytes(config: Mapping[str, Any]) -> float:
    """Return the bytes that are kept: dumps and, for vectors and to explore results, the text."""
    return download_bytes(config) + KEPT * sum(x.text for x in _known(config).values())


def _known(config: Mapping[str, Any]) -> dict[str, Size]:
    known = sizes()
    return {x: known[x] for x in config["languages"] if x in known}


def of_wikipedia(config: Mapping[str, Any], needs_vectors: bool) -> Iterator[str]:
    """Yield a line for each step to come.

    Args:
        config: validated, with Wikipedia as its source.
        needs_vectors: whether a system starts from word vectors.
    """
    unknown = [x for x in config["languages"] if x not in sizes()]
    size = download_bytes(config)
    product = config["corpus"]["product"]
    growth = GROWTH["content"] if product == "content" else ARTICLES
    dumps = sum(x.dump for x in _known(config).values())
    seconds = growth * dumps * XML_PER_BYTE / XML_PER_SECOND[product]
    yield (
        f"{len(config['languages'])} languages of Wikipedia; these are estimates"
        + (f", without {', '.join(unknown)}, whose size is not known here" if unknown else "")
    )
    yield (
        f"download: {size / 1e9:.0f} GB, {duration(size / LINE)} at 10 MB a second; kept on disk, "
        f"with the text: {disk_bytes(config) / 1e9:.0f} GB"
    )
    yield f"dumps to bags: {duration(seconds)} on one core; one job a file"
    if needs_vectors:
        yield _vectors(config)


def _vectors(config: Mapping[str, Any]) -> str:
    options = config["vectors"]
    found = {x: of_vectors(y.words, options) for x, y in _known(config).items()}
    slowest = sorted(found, key=lambda x: -found[x].seconds)[:TOLD]
    times = ", ".join(f"{x} {duration(found[x].seconds)}" for x in slowest)
    memory = max((x.bytes for x in found.values()), default=0)
    threads = f"{options['threads']} thread{'s' if options['threads'] > 1 else ''}"
    others = ", others less" if len(found) > TOLD else ""
    return (
        f"word vectors, on {threads} (vectors.threads): {times}{others}; up to "
        f"{memory / 1e9:.0f} GB of memory"
    )
