"""`cr5 fit`: fit a system to texts of your own, without a workflow."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cr5.app import output, texts
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.corpora.formats.rows import COMPRESSED, OBJECTS, TABLES

ENDINGS = {".txt", *TABLES, *OBJECTS, *COMPRESSED}
COLUMNS = ("path", "language", "documents", "words")
NAMED = re.compile(r"([a-z]{2,3}(?:_[a-z]+)?)=(.+)")
LANGUAGE = re.compile(r"(?:.*[._-])?([a-z]{2,3})")


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "file",
        nargs="+",
        metavar="FILE",
        help="texts of a language, LANGUAGE=FILE or a file whose name ends in it, such as "
        "texts.en.jsonl: a table, JSON lines and so on (see --file of `cr5 index`) with `text`, or "
        "`text_en` for LANGUAGE en, and `concept` for texts about the same thing; or one text a "
        "line, where lines of the same number belong together",
    )
    parser.add_argument(
        "-o", "--out", required=True, metavar="OUT", help="file NAME.cr5, or folder, to write"
    )
    parser.add_argument(
        "--system", default="cr5", help="its name, or its module, path/to/it.py (cr5)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the system, rank=100, or a key of the configuration, "
        "bags.min_documents=2; lists as JSON, ridges=[0.1,1]",
    )
    output.add(parser)


def run(given: argparse.Namespace) -> None:
    """Fit, write the model, and print a row for each language; report on standard error."""
    from cr5.from_texts.fit import fit

    check_free(given.out)
    rows = [row for name in given.file for row in _rows(*_named(name))]
    model = fit(rows, given.system, progress=_say, **_options(given.set))
    model.save(given.out)
    about = model.about
    rows = [
        {"path": given.out, "language": x, **{y: about[y][x] for y in COLUMNS[2:]}}
        for x in model.languages
    ]
    output.write(rows, given, COLUMNS)


def _named(argument: str) -> tuple[str, str]:
    """Return the language and the path of a file."""
    if found := NAMED.fullmatch(argument):
        return found[1], found[2]
    if not (found := LANGUAGE.fullmatch(_stem(Path(argument)))):
        raise UserError(
            f"{argument}: the name does not say the language; write LANGUAGE=FILE, such as "
            f"en={argument}"
        )
    return found[1], argument


def _stem(path: Path) -> str:
    """Return a file's name without the endings that tell its format."""
    while path.suffix.lower() in ENDINGS:
        path = path.with_suffix("")
    return path.name


def _rows(language: str, path: str) -> Iterator[dict[str, Any]]:
    """Yield the texts of a file; the number of the line is the concept if there is no other."""
    lines = f"{Path(path).name}:"
    for text in texts.read(argparse.Namespace(file=[path], language=language)):
        yield {
            "language": language,
            "concept": text.id.removeprefix(lines),
            "text": text.text,
        }


def _options(given: list[str]) -> dict[str, Any]:
    """Read KEY=VALUE; a dot in a key is a section."""
    found: dict[str, Any] = {}
    for each in given:
        key, equals, value = each.partition("=")
        if not (equals and key):
            raise UserError(f"--set {each}: expected KEY=VALUE")
        *sections, last = key.split(".")
        place = found
        for section in sections:
            place = place.setdefault(section, {})
            if not isinstance(place, dict):
                raise UserError(f"--set {each}: {section} has a value already")
        place[last] = _value(value)
    return found


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
