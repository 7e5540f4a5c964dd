"""The configuration as a JSON schema, for editors, workflow catalogues and other programs.

`cr5.plan.config` reads the same types, and more: names of systems, what contradicts each other.
"""

import dataclasses
import inspect
import re
import typing
from collections.abc import Iterator
from typing import Any

import yaml

from cr5.base.options import Option
from cr5.plan.allowed import DATE, options_of
from cr5.plan.corpus import FOLDER, KEYS, SOURCES, literal
from cr5.plan.schema import ADAPTER, Configuration
from cr5.plan.setting_kinds import Setting

Schema = dict[str, Any]

HEAD = "# Written from workflow/cr5/plan/schema.py by docs/tables.py.\n"
BASES = {Setting.__name__}  # what all variants have, not one of them
SHORT = {"type": "string"}
BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
}


def text() -> str:
    """Return the schema as YAML."""
    return HEAD + yaml.safe_dump(schema(), sort_keys=False, allow_unicode=True, width=100)


def schema() -> Schema:
    """Return the schema of a configuration as users write it.

    Users may write less than the types say: an empty section, a pair as `da-en`, one protocol in
    place of a list, a number of examples.
    """
    found = _plain(ADAPTER.json_schema())
    parts = {"Configuration": found, **found["$defs"]}
    for section in _sections(Configuration):
        meanings = attributes(section)
        for name, key in parts.get(section.__name__, {"properties": {}})["properties"].items():
            key["description"] = meanings[name]
    keys = found["properties"]
    keys["corpus"] |= {"anyOf": [*map(_source, SOURCES), _own_source()]}
    for name, key in keys.items():
        if "$ref" in key:
            keys[name] = _or(key, {"type": "null"})
    for name in ("settings", "protocol"):
        keys[name]["additionalProperties"] = _or(
            keys[name]["additionalProperties"],
            {"type": "null" if name == "settings" else "string"},
        )
    for section in parts.values():
        if pairs := section["properties"].get("pairs"):
            pairs["items"] = _or(pairs["items"], SHORT)
    examples = parts["Evaluation"]["properties"]
    examples["examples"] = _or(examples["examples"], {"type": "integer"})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def _source(name: str) -> Schema:
    """Return the schema of the section `corpus` for a source."""
    options = options_of(FOLDER / f"{name}.py")
    own = {key: {**_option(x), "description": x.meaning} for key, x in options.items()}
    return {
        "type": "object",
        "properties": {**_shared(), "source": {"const": name}, **own},
        "required": [*KEYS, *literal({"source": name}, "FILES", ())],
        "additionalProperties": False,
    }


def _own_source() -> Schema:
    """Return that for a module of somebody's own, whose keys are not known."""
    properties = {**_shared(), "source": {"type": "string", "pattern": r"\.py$"}}
    return {"type": "object", "properties": properties, "required": [*KEYS]}


def _shared() -> Schema:
    return {"name": {"anyOf": [SHORT, {"type": "integer"}], "description": KEYS["name"][1]}}


def _option(option: Option) -> Schema:
    """Return the schema of an option as its module declares it."""
    default, allowed = option.default, option.allowed
    if isinstance(default, list):
        return {"type": "array", "items": _value(default[0] if default else "", allowed)}
    return {"anyOf": [SHORT, {"type": "integer"}]} if allowed == DATE else _value(default, allowed)


def _value(default: Any, allowed: Any) -> Schema:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", dict: "object"}
    if isinstance(allowed, tuple):
        return {"enum": [*allowed]}
    bounds = allowed if isinstance(allowed, dict) else {}
    return {"type": kinds[type(default)], **{BOUNDS[key]: x for key, x in bounds.items()}}


def attributes(section: type) -> dict[str, str]:
    """Return what the docstrings of a dataclass and of those it inherits from say of each field."""
    meanings: dict[str, str] = {}
    for each in reversed(section.__mro__):
        if dataclasses.is_dataclass(each):
            meanings |= _described(inspect.getdoc(each) or "")
    return meanings


def _described(docstring: str) -> dict[str, str]:
    block = docstring.partition("Attributes:\n")[2].partition("\n\n")[0]
    found = re.findall(r"^    ([\w, ]+): (.*(?:\n {8}.*)*)", block, re.MULTILINE)
    return {x: " ".join(text.split()) for names, text in found for x in names.split(", ")}


def _plain(part: Any) -> Any:
    """Drop titles, which repeat names, and the bases; let variants overlap."""
    if isinstance(part, list):
        return [_plain(x) for x in part if not _is_base(x)]
    if not isinstance(part, dict):
        return part
    kept = {x: y for x, y in part.items() if x not in BASES and not _is_title(x, y)}
    return {"anyOf" if x == "oneOf" else x: _plain(y) for x, y in kept.items()}


def _is_title(key: str, value: Any) -> bool:
    return key == "title" and isinstance(value, str)


def _is_base(part: Any) -> bool:
    return isinstance(part, dict) and part.get("$ref", "").rpartition("/")[2] in BASES


def _or(key: Schema, other: Schema) -> Schema:
    said = {"description": key["description"]} if "description" in key else {}
    rest = {x: y for x, y in key.items() if x != "description"}
    return {**said, "anyOf": [*rest.pop("anyOf", []), *([rest] if rest else []), other]}


def _sections(kind: Any) -> Iterator[type]:
    """Yield the dataclasses of a type, at any depth."""
    if dataclasses.is_dataclass(kind):
        yield kind
        parts = typing.get_type_hints(kind).values()
    else:
        parts = typing.get_args(kind)
    for part in parts:
        yield from _sections(part)
