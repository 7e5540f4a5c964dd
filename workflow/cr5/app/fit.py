"""`cr5 fit`: fit a system to texts of your own, without a workflow."""

import argparse
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.app import output, texts
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.corpora.formats.rows import ENDINGS

COLUMNS = ("path", "language", "documents", "words")
NAMED = re.compile(r"([a-z]{2,3}(?:_[a-z]+)?)=(.+)")
LANGUAGE = re.compile(r"(?:.*[._-])?([a-z]{2,3})")


@dataclass(frozen=True)
class _File:
    rows: list[dict[str, Any]]
    numbered: bool  # whether its texts are called by their numbers, for want of a concept


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
        "--system", default="best", help="its name, or its module, path/to/it.py (best)"
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
    import pandas as pd

    from cr5.from_texts.fit import fit

    check_free(given.out)
    files = [_named(name) for name in given.file]
    found = [_texts(*each) for each in files]
    _check_lengths([x for x, of_file in zip(files, found, strict=True) if of_file.numbered])
    frame = pd.DataFrame([row for of_file in found for row in of_file.rows])
    model = fit(frame, given.system, progress=_say, **_options(given.set))
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


def _texts(language: str, path: str) -> _File:
    """Read a file; the number of the row or line is the concept if there is no other."""
    numbered, found, rows = False, [], dict[str, int]()
    for text in texts.read(argparse.Namespace(file=[path], language=language)):
        is_own = not text.id.startswith(f"{Path(path).name}:")
        numbered = numbered or not is_own
        concept = text.id if is_own else str(text.number)
        if (first := rows.setdefault(concept, text.number)) != text.number:
            raise UserError(
                f"{path}, row {text.number}: the concept {concept!r} was already in row {first}; a "
                "language may have one document per concept: join them or remove one"
            )
        found.append({"language": language, "concept": concept, "text": text.text})
    return _File(found, numbered)


def _check_lengths(files: list[tuple[str, str]]) -> None:
    """Refuse files of different lengths: from the first gap on, numbers would mean nothing."""
    lengths = {path: texts.length(path, language) for language, path in files}
    if len(set(lengths.values())) > 1:
        counted = ", ".join(f"{n:,} in {path}" for path, n in lengths.items())
        raise UserError(
            f"lines or rows: {counted}; those of the same number belong together, so let each file "
            "have as many, empty where there is no text, or give the texts a `concept` (a table, "
            "or JSON lines)"
        )


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
