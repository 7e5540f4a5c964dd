"""The section `corpus`: where the text comes from. A source, a module, declares its own keys."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.options import Option
from cr5.corpora.reading import LANGUAGE, PART, file_of
from cr5.plan.allowed import DATE, NAME, NAME_FORM, day, options_of
from cr5.plan.catalogue import PACKAGE, constant
from cr5.plan.mistakes import UNQUOTED, of_others, raise_any, unexpected, unknown
from cr5.plan.options import wrong_value

FOLDER = PACKAGE / "corpora" / "sources"
SOURCES = sorted(path.stem for path in FOLDER.glob("[!_]*.py"))
KEYS = {
    "name": (
        "it names the folder of the results",
        "of the run; its results are in `results/{name}`",
    ),
    "source": (
        f"{', '.join(SOURCES)}, or the path of a module of your own",
        "where the text comes from; it decides which other keys there are",
    ),
}
"""What every corpus has: what a key may be, and what it means."""
ORIGINAL = "{original}"


def completed(corpus: Mapping[str, Any]) -> dict[str, Any]:
    """Return the section with all defaults of its source.

    Raises:
        MistakesError: it lists keys that are missing, unknown, or hold what they may not.
    """
    mistakes = [f"corpus: missing {key!r}: {KEYS[key][0]}" for key in KEYS if key not in corpus]
    known: dict[str, Option] = {}
    if "name" in corpus:
        mistakes += _wrong_name(corpus["name"])
    if "source" in corpus:
        try:
            known = options_of(module(corpus))
            mistakes += _wrong(corpus, known)
        except UserError as error:
            mistakes.append(str(error))
    raise_any(mistakes)
    given = {key: day(x) if known[key].allowed == DATE else x for key, x in _own(corpus).items()}
    defaults = {key: option.default for key, option in known.items()}
    return {"name": str(corpus["name"]), "source": corpus["source"], **defaults, **given}


def module(corpus: Mapping[str, Any]) -> Path:
    """Return the file of the source of a corpus.

    Raises:
        UserError: there is no such file, or none of ours has this name.
    """
    source = corpus["source"]
    if isinstance(source, str) and source.endswith(".py"):
        if Path(source).is_file():
            return Path(source)
        raise UserError(
            f"corpus.source: there is no file {source}. Relative paths start at {Path.cwd()}."
        )
    if source in SOURCES:
        return FOLDER / f"{source}.py"
    said = unexpected("corpus.source", f"one of {', '.join(SOURCES)}", source)
    raise UserError(
        f"{said}; `files` reads your own, whatever their format; a source of your own is "
        "`path/to/it.py`"
    )


def literal(corpus: Mapping[str, Any], name: str, otherwise: Any = None) -> Any:
    """Return a literal of the source of a corpus; `cr5.corpora.reading` lists them."""
    return constant(module(corpus), name, otherwise)


def has_text(corpus: Mapping[str, Any]) -> bool:
    """Whether the documents have words, rather than weights of numbered ones."""
    return literal(corpus, "HAS_TEXT", True)


def own_files(corpus: Mapping[str, Any], language: str) -> Path | None:
    """Return the file or folder of a language that the user has; None if it is fetched."""
    if not corpus.get("path"):
        return None
    return Path(file_of(corpus["path"], language, corpus.get("codes", {})))


def missing(corpus: Mapping[str, Any], languages: Iterable[str]) -> Iterator[str]:
    """Report texts of the user that are not here."""
    for language in languages:
        path = own_files(corpus, language)
        if path and not path.exists():
            yield (
                f"corpus.path: there is no file or folder {path} for language {language!r}; the "
                f"key is {corpus['path']!r}.{_braces(corpus['path'])}"
            )


def same_text(
    corpus: Mapping[str, Any], languages: Iterable[str], content: Callable[[Path], str | None]
) -> Iterator[str]:
    """Report languages whose files are different ones with the same content.

    Args:
        corpus: the section.
        languages: of the run.
        content: returns the checksum of a file or folder; None if it is missing.
    """
    found = {x: path for x in languages if (path := own_files(corpus, x))}
    for (first, one), (second, other) in combinations(found.items(), 2):
        if one != other and content(one) and content(one) == content(other):
            yield (
                f"corpus.path: {one} and {other} are the same text: each document would be found "
                f"by its very copy. Give {first!r} and {second!r} files of their own."
            )


def _braces(path: str) -> str:
    """Return a hint if a path has something in braces that stands for nothing."""
    strange = [x for x in re.findall(r"\{\w*\}", path) if x not in (LANGUAGE, ORIGINAL, PART)]
    return f" {strange[0]} stands for nothing; write {LANGUAGE}." if strange else ""


def _own(corpus: Mapping[str, Any]) -> dict[str, Any]:
    return {key: x for key, x in corpus.items() if key not in KEYS and x is not None}


def _wrong_name(name: Any) -> Iterator[str]:
    text = str(name) if type(name) is int else name
    if not isinstance(text, str):
        yield unexpected("corpus.name", NAME_FORM + UNQUOTED, name)
    elif not re.fullmatch(NAME, text):
        yield unexpected("corpus.name", NAME_FORM, name)


def _wrong(corpus: Mapping[str, Any], known: Mapping[str, Option]) -> Iterator[str]:
    """Report options of the source."""
    for key, value in _own(corpus).items():
        if key not in known:
            yield _unknown(key, corpus["source"], [*known, *KEYS])
        elif value != known[key].default:
            yield from wrong_value(f"corpus.{key}", value, known[key])
    is_read = not literal(corpus, "FETCHES") and not literal(corpus, "RULES")
    for key in dict.fromkeys([*literal(corpus, "FILES", ()), *(["path"] if is_read else [])]):
        if key not in known:
            yield (
                f"corpus.source: {corpus['source']} lacks the option {key!r}: add {key!r}: "
                "('', '{path}', 'the texts') to its OPTIONS, or declare FETCHES and `fetch`"
            )
        elif not corpus.get(key):
            yield f"corpus: missing {key!r}: {known[key].meaning}"
    if "originals" in known and isinstance(corpus.get("path"), str):
        yield from _wrong_originals(corpus["path"], corpus.get("originals", []))


def _unknown(key: str, source: str, known: list[str]) -> str:
    """Report a key that the source does not have; name sources that do."""
    others = [x for x in SOURCES if x != source and key in options_of(FOLDER / f"{x}.py")]
    if others:
        return of_others(f"corpus.{key}", f"source {source}", others)
    return unknown("corpus.", key, known)


def _wrong_originals(path: str, originals: Any) -> Iterator[str]:
    if LANGUAGE not in path and ORIGINAL not in path:
        yield unexpected("corpus.path", f"a path with {LANGUAGE} or {ORIGINAL} in it", path)
    if (ORIGINAL in path) != bool(originals) or len(set(originals)) < len(originals):
        yield unexpected(
            "corpus.originals",
            f"the languages that documents were written in, each once, if the path has {ORIGINAL} "
            "in it, and only then",
            originals,
        )
