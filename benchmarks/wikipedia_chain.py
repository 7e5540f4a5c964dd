"""Speed and memory of the chain from a compressed dump to counted words.

    .venv/bin/python -m benchmarks.wikipedia_chain [--megabytes 300] [--runs 3]

bzip2 -> pages -> plain text -> normalised, in lower case -> words and counts, with a look-up of
each page's concept, on the English sample, its pages repeated. (Its words do not get more by that:
in a real part of this size the table of words is bigger.) Megabytes are 10^6 bytes of XML, seconds
those of the processor. Beside each run stands what Python's bz2 takes alone, and in the end what
gensim's extractor takes for the sample once.
"""

import argparse
import bz2
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cr5.base.text_files import open_stream
from cr5.counts.counting import Pieces
from cr5.counts.tokens import tokenise
from cr5.texts.wikimedia import concepts
from cr5.texts.wikimedia.pages import export, text_part

SAMPLE = "../shared/data/dumps/enwiki-gensim-shortened.xml.bz2"


def repeat(sample: Path, megabytes: int, target: Path) -> float:
    """Write the sample with its pages many times over; return MB of XML."""
    xml = bz2.decompress(sample.read_bytes())
    begin, end = xml.index(b"<page>"), xml.rindex(b"</mediawiki>")
    times = max(1, round(megabytes * 1e6 / len(xml)))
    head, body, tail = map(bz2.compress, (xml[:begin], xml[begin:end], xml[end:]))
    target.write_bytes(head + times * body + tail)
    return (len(xml) + (times - 1) * (end - begin)) / 1e6


def make_concepts(sample: Path, target: Path) -> None:
    """Give every page a Q-id."""
    with open_stream(sample) as stream:
        page_ids = np.unique([page.id for page in export(stream, str(sample))[1]])
    concepts.write(target, np.stack([page_ids, page_ids], axis=1).astype(np.uint32), "en")


def decompress(path: Path) -> None:
    """Read a file by Python's bz2: how fast this machine is just now."""
    with bz2.open(path) as file:
        while file.read(1 << 20):
            pass


def gensim_chain(sample: Path) -> None:
    """Run the chain of gensim.corpora.wikicorpus in one process."""
    from gensim.corpora.wikicorpus import extract_pages, filter_wiki, tokenize

    with bz2.open(sample) as file:
        for _, markup, _ in extract_pages(file, ["0"]):
            Counter(tokenize(filter_wiki(markup), 1, 99, True))


def counted(path: Path, table: Path, folder: Path) -> None:
    """Turn a file of a dump into documents, and count their words."""
    out = folder / "documents"
    text_part(path, "en", table, out)
    Pieces(out / "documents.parquet", "en", tokenise, folder)


def rate(megabytes: float, function: Callable, *arguments) -> str:
    """Say at what rate a function goes through so many megabytes."""
    begun = time.process_time()
    function(*arguments)
    return f"{megabytes / (time.process_time() - begun):.1f} MB/s"


def main() -> None:
    """Make the dump, run the chain, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=Path, default=Path(SAMPLE))
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, table = (Path(folder) / name for name in ("dump", "concepts"))
        size = repeat(options.sample, options.megabytes, path)
        make_concepts(options.sample, table)
        print(f"{size:.0f} MB of XML, {path.stat().st_size / 1e6:.0f} MB compressed")
        for _ in range(options.runs):
            chain = rate(size, counted, path, table, Path(folder))
            print(f"chain {chain}; Python's bz2 alone {rate(size, decompress, path)}", flush=True)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak {peak:.0f} MiB")
        size = repeat(options.sample, 0, path)
    print(f"gensim: {rate(size, gensim_chain, options.sample)}")


if __name__ == "__main__":
    main()
