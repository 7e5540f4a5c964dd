"""Speed and memory of the chain from a compressed dump to counted words.

    .venv/bin/python -m benchmarks.wikipedia_chain [--megabytes 300] [--runs 3]

bzip2 -> pages -> plain text -> normalised, in lower case -> words and counts, with a look-up of
each page's concept, on the English sample, its pages repeated. (Its words do not get more by that:
in a real part of this size the table of words is bigger, up to `counting.MOST_WORDS`.) Then the
same articles as a search index, with plain text and wikitext in each record, and as cleaned text
in Parquet. Megabytes are 10^6 bytes of XML throughout, seconds those of the processor. In the same
run, on the sample once: gensim's extractor, and mwparserfromhell (where it is installed) on as many
articles as it reads in half a minute.
"""

import argparse
import bz2
import importlib.util
import json
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from cr5.base import compressed
from cr5.base.compressed import open_stream
from cr5.corpora.wikimedia import concepts
from cr5.corpora.wikimedia import part as text
from cr5.corpora.wikimedia.concepts import PageProps
from cr5.corpora.wikimedia.pages import Page, siteinfo, xml_pages
from cr5.corpora.wikimedia.wikitext.clean import clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces
from cr5.counts.tokens import Tokens, tokenise

SAMPLE = "../shared/data/dumps/enwiki-gensim-shortened.xml.bz2"
PATIENCE = 30.0  # seconds for a slow parser


class Stopwatch:
    """CPU-seconds spent in functions, by stage."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def timed(self, stage: str, function: Callable) -> Callable:
        """The function, its time counted."""

        def call(*arguments):
            begun = time.process_time()
            try:
                return function(*arguments)
            finally:
                self.seconds[stage] += time.process_time() - begun

        return call

    def stages(self, total: float) -> dict[str, float]:
        """Seconds of each stage; what is within another one is taken out of it."""
        found = dict(self.seconds)
        found["XML"] = found.pop("pages") - found["bzip2"]
        found["counts"] = total - sum(found.values())
        return found


def repeat(sample: Path, megabytes: int, target: Path) -> tuple[float, int]:
    """Write the sample with its pages many times over; MB of XML, and how often."""
    xml = bz2.decompress(sample.read_bytes())
    begin, end = xml.index(b"<page>"), xml.rindex(b"</mediawiki>")
    times = max(1, round(megabytes * 1e6 / len(xml)))
    head, body, tail = map(bz2.compress, (xml[:begin], xml[begin:end], xml[end:]))
    with target.open("wb") as file:
        file.write(head)
        for _ in range(times):
            file.write(body)
        file.write(tail)
    return (len(xml) + (times - 1) * (end - begin)) / 1e6, times


def cleaned(sample: Path) -> list[tuple[Page, str]]:
    """The pages, and their plain text."""
    with open_stream(sample) as stream:
        namespaces = Namespaces.from_siteinfo(siteinfo(stream, str(sample)), "en")
    with open_stream(sample) as stream:
        return [
            (page, clean(page.text, namespaces).text)
            for page in xml_pages(stream, str(sample))
            if page.namespace == 0 and not page.is_redirect
        ]


def as_index(sample: Path, times: int, target: Path) -> None:
    """Write the articles as a search index."""
    lines = []
    for page, plain in cleaned(sample):
        about = {"page_id": page.id, "namespace": 0, "title": page.title, "text": plain}
        lines += [{"index": {"_id": str(page.id)}}, about | {"source_text": page.text}]
    body = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
    target.write_bytes(bz2.compress(body) * times)


def as_parquet(sample: Path, times: int, target: Path) -> None:
    """Write the articles as FineWiki does, without what is not read."""
    rows = [{"page_id": x.id, "title": x.title, "text": plain} for x, plain in cleaned(sample)]
    table = pa.Table.from_pylist(rows)
    with pq.ParquetWriter(target, table.schema, compression="zstd") as writer:
        for _ in range(times):
            writer.write_table(table)


def make_concepts(sample: Path, target: Path) -> None:
    """A Q-id for every page."""
    with open_stream(sample) as stream:
        page_ids = np.unique([page.id for page in xml_pages(stream, str(sample))])
    concepts.write(target, PageProps(page_ids, page_ids, page_ids[:0]), "en")


def chain(path: Path, table: Path, out: Path, product: str = "content") -> float:
    """CPU-seconds of the job that the workflow runs."""
    begun = time.process_time()
    text.text_part(path, product, "en", table, None, out)
    return time.process_time() - begun


def staged(path: Path, table: Path, out: Path) -> dict[str, float]:
    """CPU-seconds of each stage of the job."""
    watch = Stopwatch()
    read, clean = compressed._Decompressed.readinto, text.wikitext.clean
    pages, spread = text.xml_pages, Tokens.spread

    def timed_pages(*arguments):
        step = watch.timed("pages", pages(*arguments).__next__)
        while True:
            try:
                yield step()
            except StopIteration:
                return

    compressed._Decompressed.readinto = watch.timed("bzip2", read)
    text.wikitext.clean = watch.timed("markup", clean)
    Tokens.spread = watch.timed("case", spread)
    text.xml_pages = timed_pages
    try:
        return watch.stages(chain(path, table, out))
    finally:
        compressed._Decompressed.readinto = read
        text.wikitext.clean, text.xml_pages, Tokens.spread = clean, pages, spread


def gensim_chain(sample: Path) -> str:
    """The chain of gensim.corpora.wikicorpus in one process."""
    from gensim.corpora.wikicorpus import extract_pages, filter_wiki, tokenize

    begun = time.process_time()
    size = 0
    with bz2.open(sample) as file:
        for _, markup, _ in extract_pages(file, ["0"]):
            Counter(tokenize(filter_wiki(markup), 1, 99, True))
        size = file.tell()
    return f"{size / 1e6 / (time.process_time() - begun):.2f} MB/s"


def mwparserfromhell_chain(sample: Path) -> str:
    """Our chain with mwparserfromhell's strip_code in it."""
    if not importlib.util.find_spec("mwparserfromhell"):
        return "not installed"
    import mwparserfromhell

    begun = time.process_time()
    size = 0
    with open_stream(sample) as stream:
        for page in xml_pages(stream, str(sample)):
            stripped = mwparserfromhell.parse(page.text).strip_code()
            Counter(tokenise(stripped, "en"))
            size += len(page.text.encode())
            if time.process_time() - begun > PATIENCE:
                break
    return f"{size / 1e6 / (time.process_time() - begun):.2f} MB/s (of {size / 1e6:.1f} MB of text)"


def decompression(path: Path, size: float) -> str:
    """bzip2 alone: how fast this machine is just now."""
    begun = time.process_time()
    with bz2.open(path) as file:
        while file.read(1 << 20):
            pass
    return f"{size / (time.process_time() - begun):.1f} MB/s"


def main() -> None:
    """Make the dump, run the chain, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=Path, default=Path(SAMPLE))
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, table, out = (Path(folder) / name for name in ("dump", "concepts", "counts"))
        size, times = repeat(options.sample, options.megabytes, path)
        make_concepts(options.sample, table)
        print(f"{size:.0f} MB of XML, {path.stat().st_size / 1e6:.0f} MB compressed")
        for _ in range(options.runs):
            seconds = chain(path, table, out)
            alone = decompression(path, size)
            print(f"chain {size / seconds:.2f} MB/s; Python's bzip2 alone {alone}", flush=True)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak {peak:.0f} MiB; counts {_bytes(out) / 1e6:.1f} MB")
        stages = staged(path, table, out)
        total = sum(stages.values())
        for name, seconds in sorted(stages.items(), key=lambda item: -item[1]):
            print(f"  {name:8} {100 * seconds / total:3.0f} %  {size / seconds:6.1f} MB/s")
        for product, write in (("cirrus", as_index), ("parquet", as_parquet)):
            write(options.sample, times, path)
            seconds = [chain(path, table, out, product) for _ in range(options.runs)]
            print(f"{product}: {size / min(seconds):.1f} MB/s; {path.stat().st_size / 1e6:.0f} MB")
    print(f"gensim: {gensim_chain(options.sample)}", flush=True)
    print(f"mwparserfromhell: {mwparserfromhell_chain(options.sample)}")


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


if __name__ == "__main__":
    main()
