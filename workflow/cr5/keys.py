"""What the classes say of the configuration: tables of keys for people, a JSON schema for editors.

`cr5 info --options` and the pages show the tables, `cr5 info --schema` prints the schema.
`cr5.plan.config` reads the same classes, and sees more: what contradicts each other.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic.fields import FieldInfo

from cr5.base.errors import UserError, did_you_mean
from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.contracts.keys import FILE, Part, Section, sections_below
from cr5.plan.config import Configuration
from cr5.plan.kinds import KINDS
from cr5.plan.kinds import SettingOptions as Setting
from cr5.plan.words import ALIGNMENTS, VECTORS

PARTS = {"systems": SYSTEMS, "tasks": TASKS, "corpus": SOURCES}
SECTIONS = {
    "configuration": Configuration,
    "settings": Setting,
    "systems": SYSTEMS.entry,
    "tasks": TASKS.entry,
    "corpus": SOURCES.entry,
}
NAMED = ("systems", "tasks", "settings")  # each of their keys names an entry
VARIANTS = {"settings": KINDS, "vectors": VECTORS, "alignments": ALIGNMENTS}

QUOTE = '"'
PLURALS = re.compile("^(integer|number|text|mapping)")
BOUNDS = {
    "minimum": "{:g} or more",
    "exclusiveMinimum": "above {:g}",
    "maximum": "{:.10g} or less",
    "exclusiveMaximum": "below {:g}",
}

Schema = dict[str, Any]
NOTHING = {"type": "null"}


class Table(NamedTuple):
    """The class whose keys a table shows, and how each of them begins."""

    section: type[Section]
    prefix: str


class Row(NamedTuple):
    """What a table says of a key."""

    key: str
    default: str
    may_be: str
    meaning: str


def rows(name: str) -> list[Row]:
    """Return the table of the keys of a part or a section, or of a part of one's own by its path.

    Names are such as `splits`, `evaluation.examples`, `cr5`, or `settings joint`.
    """
    table = _table_of(name)
    section = table.section
    schema_of_key = section.model_json_schema()["properties"]
    paths = []
    if issubclass(section, Part):
        paths = section.marked(FILE)
    rows_of_keys = []
    for key, field in section.model_fields.items():
        if _has_its_own_table(section, key):
            continue
        may_be = allowed(schema_of_key[key])
        if key in paths:
            may_be = "a path"
        row = Row(table.prefix + key, _default(field), may_be, _meaning(schema_of_key[key]))
        rows_of_keys.append(row)
    return rows_of_keys


def _has_its_own_table(section: type[Section], key: str) -> bool:
    """Return whether a key is a section, or one that all kinds of settings have."""
    if section is Configuration and key == "corpus":
        return True
    if section in KINDS.values() and key in Setting.model_fields:
        return True
    return bool(sections_below([section], key))


def _meaning(schema: Schema) -> str:
    description = " ".join(schema.get("description", "").split())
    return description.replace("null:", "none:")


def _table_of(name: str) -> Table:
    """Return the table that a name stands for; UserError if it stands for none."""
    section, _, variant = name.partition(" ")
    prefix = f"{section}."
    if section in NAMED:
        prefix = f"{section}.{{name}}."
    if variant in VARIANTS.get(section, ()):
        return Table(VARIANTS[section][variant], prefix)
    if variant and section in PARTS:
        return _table_of_part(section, variant)
    if name == "configuration":
        return Table(Configuration, prefix="")
    section_class = SECTIONS.get(name) or _section(name.split("."))
    if section_class:
        return Table(section_class, prefix)
    section_of_part: dict[str, str] = {}
    for section_of_kind, kind in PARTS.items():
        section_of_part |= dict.fromkeys(kind.known(), section_of_kind)
    if name in section_of_part:
        return _table_of_part(section_of_part[name], name)
    if name.endswith(".py"):
        return Table(_part_of_path(name), prefix="")
    names = list(SECTIONS) + list(Configuration.model_fields) + list(section_of_part)
    known = list(dict.fromkeys(names))
    raise UserError(f"there is no section and no part {name!r}; {did_you_mean(name, known)}")


def _table_of_part(section: str, name: str) -> Table:
    """Return the table of a part, whose keys stand beside the entry's own."""
    kind = PARTS[section]
    part_class = kind.part_class(name, {kind.key: name})
    if kind is SOURCES:  # of which a configuration has one
        return Table(part_class, prefix="corpus.")
    return Table(part_class, prefix="")


def _section(place: list[str]) -> type[Section] | None:
    sections: list[type[Section]] = [Configuration]
    for key in place:
        sections = sections_below(sections, key)
    if not sections:
        return None
    return sections[0]


def _part_of_path(path: str) -> type[Part]:
    """Return the class in a module of one's own, whichever kind of part it is."""
    for kind in PARTS.values():
        try:
            return kind.part_class(path, {kind.key: path})
        except UserError as error:
            refusal = error
    raise refusal


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    return written(field.get_default(call_default_factory=True))


def written(value: Any) -> str:
    """Return a value as YAML has it, on a line, as code."""
    if value is None:
        return "none"
    return f"`{json.dumps(value).replace(QUOTE, '') or 2 * QUOTE}`"


def allowed(schema: Mapping[str, Any]) -> str:
    """Say in words what a JSON schema allows."""
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        in_words = [allowed(option) for option in options]
        separator = " or "
        if any("," in words for words in in_words):
            separator = "; or "
        return separator.join(in_words)
    if schema.get("enum"):
        return ", ".join(written(value) for value in schema["enum"])
    if "const" in schema:
        return written(schema["const"])
    match schema.get("type"):
        case "array":
            return "list of " + PLURALS.sub(r"\1s", allowed(schema.get("items", {})))
        case "object":
            return "mapping"
        case "null":
            return "none"
        case "boolean":
            return "`true`, `false`"
        case "integer" | "number" as kind:
            return ", ".join([kind, *_bounds(schema)])
    return "text"


def _bounds(schema: Mapping[str, Any]) -> Iterator[str]:
    if schema["type"] == "integer" and schema.get("exclusiveMinimum") == 0:
        schema = {**schema, "minimum": 1, "exclusiveMinimum": None}
    for key, in_words in BOUNDS.items():
        if schema.get(key) is not None:
            yield in_words.format(schema[key])


def schema() -> Schema:
    """Return the schema of a configuration as users write it.

    Users may write less than the types say: an empty section.
    """
    configuration = _plain(Configuration.model_json_schema())
    definitions = configuration["$defs"]
    keys = configuration["properties"]
    for name, key in keys.items():
        if "$ref" in key:
            keys[name] = {"anyOf": [key, NOTHING]}
    [(pattern, entry)] = keys["settings"]["patternProperties"].items()
    keys["settings"]["patternProperties"] = {pattern: {"anyOf": [entry, NOTHING]}}
    for section, kind in PARTS.items():
        for name in kind.known():
            definitions[f"{section}.{name}"] = _schema_of_part(kind, name)
        definitions[section] = _schema_of_entry(kind)
        entries = _schema_of_entries(kind)
        if kind is SOURCES:  # which is one entry
            entries = {"$ref": "#/$defs/corpus"}
        keys[section] = {"description": keys[section]["description"], **entries}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **configuration}


def _schema_of_part(kind: Kind, name: str) -> Schema:
    """Return the schema of an entry that names a part: its keys, and what all entries have."""
    entry = kind.entry.model_json_schema()
    part = kind.part_class(name, {kind.key: name}).model_json_schema()
    keys = {**entry["properties"], **part["properties"], kind.key: {"const": name}}
    required = entry.get("required", []) + part.get("required", [])
    return _plain({**part, "properties": keys, "required": required})


def _schema_of_entry(kind: Kind) -> Schema:
    """Return the schema of entries that name a part: one of ours, or a file."""
    of_file = {"properties": {kind.key: {"type": "string", "pattern": r"\.py$"}}}
    parts = [_reference(kind, name) for name in kind.known()]
    return {"type": "object", "required": [kind.key], "anyOf": [*parts, of_file]}


def _schema_of_entries(kind: Kind) -> Schema:
    """Return the schema of a section: its entries name a part, or have the name of one."""
    naming = {"$ref": f"#/$defs/{kind.section}"}
    return {
        "type": "object",
        "minProperties": 1,
        "properties": {
            name: {"anyOf": [_reference(kind, name), NOTHING, naming]} for name in kind.known()
        },
        "additionalProperties": naming,
    }


def _reference(kind: Kind, name: str) -> Schema:
    return {"$ref": f"#/$defs/{kind.section}.{name}"}


def _plain(schema: Any) -> Any:
    """Drop titles, which repeat names; let variants overlap."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    plain: Schema = {}
    for key, value in schema.items():
        if isinstance(value, str) and key == "title":
            continue
        if isinstance(value, str) and key == "description":
            value = " ".join(value.split())
        if key == "oneOf":
            key = "anyOf"
        plain[key] = _plain(value)
    return plain
