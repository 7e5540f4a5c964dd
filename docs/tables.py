"""Writes tables of keys and metrics in the pages from the code: `.venv/bin/python docs/tables.py`.

It also writes the JSON schema of the configuration.

What a key may be comes from its type, what it means from the docstring of its dataclass
(`Attributes`); options of systems and tasks say both themselves (`OPTIONS`).
A table stands between two lines of a page:

    <!-- table: corpus wikipedia -->
    <!-- end of table -->

`systems cplsa as jplsa` leaves out the rows that the table of `jplsa` has.
"""

import dataclasses
import re
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cr5.plan.allowed import expected, options_of
from cr5.plan.catalogue import PACKAGE, constant, has_files
from cr5.plan.corpus import FOLDER, KEYS, literal
from cr5.plan.declared import title
from cr5.plan.json_schema import attributes
from cr5.plan.json_schema import text as json_schema
from cr5.plan.schema import Configuration
from cr5.plan.setting_kinds import KINDS, Setting
from pydantic import TypeAdapter

from cr5.plan.words import ALIGNMENTS, VECTORS, ParallelText
from cr5.scores.metrics import METRICS

PAGES = Path(__file__).parent
SCHEMA = PAGES.parent / "workflow" / "schemas" / "config.schema.yaml"
TABLE = re.compile(r"(<!-- table: (.+?) -->\n).*?(<!-- end of table -->)", re.DOTALL)
HEAD = ["| key | default | may be | meaning |", "|---|---|---|---|"]
NEEDED = {
    "vectors": "word vectors",
    "seeds": "word pairs",
    "alignments": "word translation tables",
    "texts": "texts",
    "files": "files of its own",
}
VARIANTS = {"settings": KINDS, "vectors": VECTORS, "alignments": ALIGNMENTS}
BASES = {"settings": Setting}
PLURALS = re.compile("^(integer|number|text|mapping)")
MORE = {"alignments.sentences": ParallelText}


def main() -> None:
    """Write all pages, and the schema."""
    for path in sorted(PAGES.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (new := filled(text)) != text:
            path.write_text(new, encoding="utf-8")
    SCHEMA.write_text(json_schema(), encoding="utf-8")


def filled(page: str) -> str:
    """Return a page with its tables as the code has them now."""
    return TABLE.sub(lambda found: found[1] + "\n".join(_table(found[2])) + "\n" + found[3], page)


def _table(name: str) -> list[str]:
    """Make a table of a `section`, `section variant` or `systems NAME`, or one of `WHOLE`."""
    if name in WHOLE:
        return WHOLE[name]()
    section, _, variant = name.partition(" ")
    variant, _, other = variant.partition(" as ")
    if other:
        return _beside(section, variant, other)
    if section in ("systems", "tasks"):
        rows = _options(PACKAGE / section / f"{variant}.py")
    elif name == "corpus":
        rows = [[f"corpus.{key}", "required", *said] for key, said in KEYS.items()]
    elif section == "corpus":
        needed = literal({"source": variant}, "FILES", ())
        rows = [
            [f"corpus.{key}", "required" if key in needed else default, *said]
            for key, default, *said in _options(FOLDER / f"{variant}.py")
        ]
    elif section == "configuration":
        rows = _keys(Configuration, "", [x for x in _simple(Configuration) if x != "corpus"])
    else:
        rows = _keys(*_section(section, variant))
    return _rows(rows)


def _rows(rows: Iterable[list[str]]) -> list[str]:
    return [*HEAD, *(f"| `{key}` | {' | '.join(map(_cell, row))} |" for key, *row in rows)]


def _beside(section: str, variant: str, other: str) -> list[str]:
    """Make a sentence on the options that two modules share, and a table of the others."""
    own, its = (
        {row[0]: row for row in _options(PACKAGE / section / f"{x}.py")} for x in (variant, other)
    )
    lacking = ", ".join(f"`{key}`" for key in its if key not in own)
    said = f"It has the options of [`{other}`](#{other})" + (f" but {lacking}" if lacking else "")
    different = [row for key, row in own.items() if its.get(key) != row]
    if not different:
        return [f"{said}."]
    return [f"{said}; and:", "", *_rows(different)]


def _metrics() -> list[str]:
    """Make the table of metrics: a k in brackets may be left out."""
    rows = [
        f"| {x.name}{'@k' if x.needs_k else '[@k]'} | {_cell(x.says)} | {_cell(x.source)} |"
        for x in METRICS.values()
    ]
    return ["| metric | of a query | as in |", "|---|---|---|", *rows]


def _systems() -> list[str]:
    """Make the table of what each system says of itself, by what it starts from."""
    rows = []
    for path in (PACKAGE / "systems").glob("[!_]*.py"):
        needs = [*constant(path, "NEEDS", ()), *(["files"] if has_files(path) else [])]
        given = [said for need, said in NEEDED.items() if need in needs] or ["documents"]
        if "seeds" in needs and "vectors" not in needs:  # it can do without a dictionary
            given = ["documents", *(x for x in given if x != NEEDED["seeds"])]
        about = title(path.stem, {}), " and ".join(given), constant(path, "REFERENCE", "")
        rows.append([f"[`{path.stem}`](#{path.stem})", *about])
    rows.sort(key=lambda row: (row[2], row[0]))
    head = ["| system | in tables | starts from | paper |", "|---|---|---|---|"]
    return [*head, *(f"| {' | '.join(map(_cell, row))} |" for row in rows)]


WHOLE = {"metrics": _metrics, "systems": _systems}


def _section(section: str, variant: str) -> tuple[type, str, list[str]]:
    """Return the dataclass of a section, how its keys begin, and which are shown."""
    prefix = f"{section}.{{name}}." if section == "settings" else f"{section}."
    if section in MORE:
        return MORE[section], prefix, _simple(MORE[section])
    if section in VARIANTS:
        base = BASES.get(section)
        if not variant:
            return base, prefix, _simple(base)
        own = VARIANTS[section][variant]
        known = {x.name for x in dataclasses.fields(base)} if base else set()
        return own, prefix, [x for x in _simple(own) if x not in known]
    found = Configuration
    for part in section.split("."):
        found = _types(found)[part]
    found = next((x for x in typing.get_args(found) if dataclasses.is_dataclass(x)), found)
    return found, prefix, _simple(found)


def _simple(section: type) -> list[str]:
    """Names of the keys that are not sections themselves."""
    return [name for name, kind in _types(section).items() if not _is_section(kind)]


def _types(section: type) -> dict[str, Any]:
    hints = typing.get_type_hints(section)
    return {x.name: hints[x.name] for x in dataclasses.fields(section)}


def _is_section(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind) or any(map(_is_section, typing.get_args(kind)))


def _keys(section: type, prefix: str, names: list[str]) -> Iterator[list[str]]:
    schema = TypeAdapter(section).json_schema()
    meanings = attributes(section)
    fields = {x.name: x for x in dataclasses.fields(section)}
    for name in names:
        found = schema["properties"][name]
        yield [prefix + name, _default(fields[name]), _may_be(found), meanings[name]]


def _default(field: dataclasses.Field) -> str:
    if field.default_factory is not dataclasses.MISSING:
        return _value(field.default_factory())
    return "required" if field.default is dataclasses.MISSING else _value(field.default)


def _value(value: Any) -> str:
    """As YAML has it, on a line."""
    match value:
        case None:
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case "":
            return '`""`'
        case list() | tuple():
            return f"`[{', '.join(_value(x).strip('`') for x in value)}]`"
        case dict():
            items = (f"{key}: {_value(x).strip('`')}" for key, x in value.items())
            return f"`{{{', '.join(items)}}}`"
    return f"`{value}`"


def _may_be(schema: dict[str, Any]) -> str:
    """Say in words what a JSON schema allows."""
    if said := schema.get("description"):
        return said
    if options := schema.get("anyOf") or schema.get("oneOf"):
        said = [_may_be(x) for x in options]
        return ("; or " if any("," in x for x in said) else " or ").join(said)
    if known := schema.get("enum") or ([schema["const"]] if "const" in schema else None):
        return ", ".join(map(_value, known))
    match schema.get("type"):
        case "array":
            return "list of " + PLURALS.sub(r"\1s", _may_be(schema["items"]))
        case "object":
            return "mapping"
        case "null":
            return "none"
        case "boolean":
            return "`true`, `false`"
        case "integer" | "number" as kind:
            return ", ".join([kind, *_bounds(schema)])
    return "text"


def _bounds(schema: dict[str, Any]) -> Iterator[str]:
    said = {"minimum": "{:g} or more", "exclusiveMinimum": "above {:g}"}
    said |= {"maximum": "{:.10g} or less", "exclusiveMaximum": "below {:g}"}
    yield from (said[key].format(schema[key]) for key in said if key in schema)


def _options(module: Path) -> Iterator[list[str]]:
    """Options of a system, task or source."""
    for key, option in options_of(module).items():
        kind = _kind(option.default) if option.allowed is ... else None
        may_be = kind or expected(option.allowed, option.default)
        yield [key, _value(option.default), _code(may_be), option.meaning.replace("null", "none")]


def _code(text: str) -> str:
    """Values as code, as in the other tables."""
    text = re.sub(r"\b(True|False)\b", lambda found: f"`{found[0].lower()}`", text)
    return re.sub(r"'([^']*)'", r"`\1`", text).replace("null", "none")


def _kind(default: Any) -> str:
    kinds = {bool: "`true`, `false`", int: "integer", float: "number", str: "text"}
    return kinds.get(type(default), "mapping" if isinstance(default, dict) else "list")


def _cell(text: str) -> str:
    return text.removesuffix(".").replace("|", "\\|")


if __name__ == "__main__":
    main()
