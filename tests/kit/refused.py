"""The cases of `tests/refused/`, and what is said of each.

A file has one case a line, its fields separated by ` | `; blank lines, and those that begin with
`#`, are none.
"""

import functools
import re
import tempfile
from contextlib import chdir
from pathlib import Path

import pandas as pd
import yaml

from cr5 import cli_texts
from cr5.fitting import vectors
from cr5.plan import config, config_files
from cr5.splits.given import GivenSplit
from cr5.tasks import ad_hoc
from cr5.texts import debian, dictionaries, judged, rows, translation_tables
from cr5.texts.sources import matrix
from cr5.texts.sources.europarl import Europarl
from cr5.texts.sources.files import Files
from cr5.texts.wikimedia import concepts, pages
from tests.kit import called
from tests.kit.inside import records

HERE = Path(__file__).parents[1] / "refused"


def cases(name: str) -> list[tuple[str, ...]]:
    """Return the fields of each case of a file, but for its last, which may have any text."""
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    separators = 1 if name == "config" else 2
    return [tuple(x.split(" | ", separators)) for x in lines if x and x[0] != "#"]


def _configured(path):
    _merged(f"systems: {{mine: {{module: {path}}}}}")


def _streamed(read):
    def opened(path):
        with path.open("rb") as stream:
            return read(stream, str(path))

    return opened


READERS = {
    "alignments": translation_tables.entries,
    "collection": judged.documents,
    "config": config_files.read,
    "delimited": lambda path: rows.rows(path, ("id", "text")),
    "dictionary": dictionaries.entries,
    "europarl": lambda path: records(Europarl, path.parent, "es"),
    "files": lambda path: records(Files, path, "en"),
    "judgements": ad_hoc.read_relevant,
    "labelled": lambda path: rows.labelled(path, "index_id", "category", "text"),
    "matrix": lambda path: matrix.documents("", str(path)),
    "module": _configured,
    "page_props": _streamed(concepts.page_props),
    "queries": judged.queries,
    "released": lambda path: vectors.read(path, dimension=3),
    "rows": lambda path: rows.rows(path, ("concept", "text")),
    "split": lambda path: GivenSplit.of(pd.Index(["a", "b"]), str(path)),
    "texts": lambda path: cli_texts.read_file(str(path), "en", cli_texts.Columns()),
    "translations": debian.descriptions,
    "vectors": lambda path: vectors.read(path, 9),
    "xml": _streamed(lambda stream, name: list(pages.export(stream, name)[1])),
}
NAMES = {
    "europarl": "ep-00-01-17.txt",
    "translations": "Translation-da",
}


def _merged(given):
    config.validated({**called.MINIMAL, **yaml.safe_load(f"{{{given}}}")})


def _read(reader, content):
    """Read a file of that content; `rows.json` is one that ends so, for the reader `rows`."""
    name, _, ending = reader.partition(".")
    path = Path(NAMES.get(name, "x") + (ending and f".{ending}")).absolute()
    content = re.sub(r"\(\((.+?)\)\)(\d+)", lambda x: x[1] * int(x[2]), content)
    path.write_bytes(content.encode().decode("unicode_escape").encode("latin-1"))
    found = READERS[name](path)
    if hasattr(found, "__next__"):
        list(found)


@functools.cache
def error(file: str, *case: str) -> Exception | None:
    """Return what a case raises, in an empty folder of its own."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        try:
            match file:
                case "config":
                    _merged(case[-1])
                case "readers":
                    _read(case[0], case[-1])
                case "api":
                    eval(case[-1], vars(called))
        except Exception as raised:
            return raised
    return None


def sentences() -> list[str]:
    """Return what is said of each configuration, a line each."""
    said = []
    for case in cases("config"):
        lines = str(error("config", *case)).splitlines()
        mistakes = " ".join(x.strip().removeprefix("- ") for x in lines[1:-1])
        said.append(re.sub(r"start at \S+", "start at FOLDER.", mistakes))
    return said


if __name__ == "__main__":  # read what changed before it is kept
    (HERE / "sentences.txt").write_text("\n".join(sentences()) + "\n", encoding="utf-8")
