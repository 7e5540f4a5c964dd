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
from cr5.texts.folders import Pages, page_rows
from cr5.texts.markup.page import PageRules
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
    return [
        tuple(line.split(" | ", separators)) for line in lines if line and not line.startswith("#")
    ]


def _read_europarl(path):
    return records(Europarl, path.parent, "es")


def _read_files(path):
    return records(Files, path, "en")


def _read_module(path):
    _configure(f"systems: {{mine: {{module: {path}}}}}")


def _read_page(path):
    which = Pages(path.parent, "de", PageRules("de"))
    return page_rows(which)


def _read_page_props(path):
    with path.open("rb") as stream:
        return list(concepts.page_props(stream, str(path)))


def _read_split(path):
    return GivenSplit.of(pd.Index(["a", "b"]), str(path))


def _read_texts(path):
    return cli_texts.read([], [str(path)], "en", cli_texts.Columns())


def _read_xml(path):
    with path.open("rb") as stream:
        _, exported = pages.export(stream, str(path))
        return list(exported)


READERS = {
    "alignments": translation_tables.entries,
    "collection": judged.documents,
    "config": config_files.read,
    "delimited": functools.partial(rows.rows, wanted=("id", "text")),
    "dictionary": dictionaries.entries,
    "europarl": _read_europarl,
    "files": _read_files,
    "judgements": ad_hoc.read_relevant,
    "labelled": functools.partial(
        rows.labelled, identity="index_id", label="category", text="text"
    ),
    "matrix": functools.partial(matrix.documents, ""),
    "module": _read_module,
    "page": _read_page,
    "page_props": _read_page_props,
    "queries": judged.queries,
    "released": functools.partial(vectors.read, dimension=3),
    "rows": functools.partial(rows.rows, wanted=("concept", "text")),
    "split": _read_split,
    "texts": _read_texts,
    "translations": debian.descriptions,
    "vectors": functools.partial(vectors.read, max_words=9),
    "xml": _read_xml,
}
NAMES = {
    "europarl": "ep-00-01-17.txt",
    "translations": "Translation-da",
}


def _configure(keys):
    """Validate keys, written in YAML, merged into a minimal configuration."""
    config.validated(called.MINIMAL | yaml.safe_load(f"{{{keys}}}"))


def _repeated(match):
    """Return what stands in double brackets as often as the number behind them says."""
    return match[1] * int(match[2])


def _read(reader, content):
    """Read a file of that content; `rows.json` is one that ends so, for the reader `rows`."""
    name, _, ending = reader.partition(".")
    file_name = NAMES.get(name, "x")
    if ending:
        file_name = f"{file_name}.{ending}"
    path = Path(file_name).absolute()
    content = re.sub(r"\(\((.+?)\)\)(\d+)", _repeated, content)
    path.write_bytes(content.encode().decode("unicode_escape").encode("latin-1"))
    result = READERS[name](path)
    if hasattr(result, "__next__"):
        list(result)


@functools.cache
def error(file: str, *case: str) -> Exception | None:
    """Return what a case raises, in an empty folder of its own."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        try:
            match file:
                case "config":
                    _configure(case[-1])
                case "readers":
                    _read(case[0], case[-1])
                case "api":
                    eval(case[-1], vars(called))
        except Exception as raised:
            return raised
    return None


def sentences() -> list[str]:
    """Return what is said of each configuration, a line each."""
    of_cases = []
    for case in cases("config"):
        lines = str(error("config", *case)).splitlines()[1:-1]
        mistakes = " ".join(line.strip().removeprefix("- ") for line in lines)
        of_cases.append(re.sub(r"start at \S+", "start at FOLDER.", mistakes))
    return of_cases


if __name__ == "__main__":  # read what changed before it is kept
    (HERE / "sentences.txt").write_text("\n".join(sentences()) + "\n", encoding="utf-8")
