"""A made-up Wikimedia: makes mirrors from aligned documents, and serves them with faults.

    .venv/bin/python -m benchmarks.mirror corpus --articles 50000 --languages en da it vi --out made
    .venv/bin/python -m benchmarks.mirror make --corpus 'made/{language}.jsonl.gz' \
        --languages en da it vi --layout content --out mirror
    .venv/bin/python -m benchmarks.mirror serve mirror --port 8000 --fault '*.bz2=break:500000'

`make` also writes the documents with the Q-ids of the mirror to OUT/aligned: the same corpus for
the source files, to compare with.
"""

import argparse
import contextlib
import gzip
import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.made_up import corpus
from benchmarks.made_up.layouts import LAYOUTS, write_page_props
from benchmarks.made_up.pages import pages
from benchmarks.made_up.server import HELP, Fault, serving
from cr5.corpora.reading import records
from cr5.corpora.sources import files


def q_ids(documents: Iterable[Iterable[tuple[str, str, str]]]) -> dict[str, str]:
    """Return a Q-id for every concept: itself if it is one, else by the order of names."""
    concepts = sorted({concept for language in documents for concept, _, _ in language})
    if all(concept[:1] == "Q" and concept[1:].isdecimal() for concept in concepts):
        return {concept: concept for concept in concepts}
    return {concept: f"Q{number}" for number, concept in enumerate(concepts, start=1)}


def make(
    source: str, languages: Sequence[str], layouts: Sequence[str], out: Path, parts: int = 3
) -> None:
    """Turn an aligned corpus into a mirror.

    Args:
        source: path of the documents, with {language} in it.
        languages: codes; they take turns in the syntax of page_props.
        layouts: which of content, cirrus, legacy, parquet.
        out: folder to write to.
        parts: of each wiki's text.
    """

    def read(language: str) -> Iterable[tuple[str, str, str]]:
        return records(files, source.format(language=language), language)

    items = q_ids(read(language) for language in languages)
    for number, language in enumerate(languages):
        start = time.process_time()
        documents = [(items[concept], title, text) for concept, title, text in read(language)]
        _write_aligned(out / "aligned" / f"{language}.jsonl.gz", documents)
        made = list(pages(language, documents))
        for layout in layouts:
            LAYOUTS[layout](out, language, made, parts)
        write_page_props(out, language, made, row_a_line=number % 2 == 1)
        seconds = time.process_time() - start
        print(f"{language}: {len(documents)} articles, {len(made)} pages, {seconds:.1f} CPU-s")


def _write_aligned(path: Path, documents: Iterable[tuple[str, str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as plain, gzip.GzipFile("", "wb", 1, plain, mtime=0) as file:
        for concept, title, text in documents:
            entry = {"concept": concept, "title": title, "text": text}
            file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")


def _corpus(arguments: argparse.Namespace) -> None:
    arguments.out.mkdir(parents=True, exist_ok=True)
    for language in arguments.languages:
        start = time.process_time()
        path = arguments.out / f"{language}.jsonl.gz"
        number = corpus.write(path, language, arguments.articles, arguments.seed)
        print(f"{path}: {number} articles, {time.process_time() - start:.1f} CPU-s")


def _serve(arguments: argparse.Namespace) -> None:
    faults = [Fault.parse(text) for text in arguments.fault]
    with serving(arguments.folder, faults, arguments.port) as mirror:
        print(f"{arguments.folder} at {mirror.url}", flush=True)
        while True:
            time.sleep(3600)


def main() -> None:
    """Read the command line and do it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    command = commands.add_parser("corpus", help="make up an aligned corpus")
    command.add_argument("--articles", type=int, required=True, help="number of concepts")
    command.add_argument("--languages", nargs="+", required=True)
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--out", type=Path, required=True)
    command.set_defaults(run=_corpus)
    command = commands.add_parser("make", help="turn aligned documents into a mirror")
    command.add_argument("--corpus", required=True, help="path with {language} in it")
    command.add_argument("--languages", nargs="+", required=True)
    command.add_argument("--layout", nargs="+", choices=list(LAYOUTS), default=list(LAYOUTS))
    command.add_argument("--parts", type=int, default=3)
    command.add_argument("--out", type=Path, required=True)
    command.set_defaults(run=lambda a: make(a.corpus, a.languages, a.layout, a.out, a.parts))
    command = commands.add_parser(
        "serve", epilog=HELP, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.add_argument("folder", type=Path)
    command.add_argument("--port", type=int, default=0)
    command.add_argument("--fault", action="append", default=[])
    command.set_defaults(run=_serve)
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        arguments.run(arguments)


if __name__ == "__main__":
    main()
