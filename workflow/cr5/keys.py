"""What the classes say of the configuration: tables of keys for people, a JSON schema for editors.

`cr5 info --options` and the pages show the tables, `cr5 info --schema` prints the schema.
`cr5.plan.config` reads the same classes, and sees more: what contradicts each other.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from pydantic.fields import FieldInfo

from cr5.base.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.base.errors import UserError, did_you_mean
from cr5.base.parts import FILE, Part, Section, leaves
from cr5.plan.config import Configuration
from cr5.plan.kinds import KINDS
from cr5.plan.kinds import SettingOptions as Setting
from cr5.plan.words import ALIGNMENTS, VECTORS

PARTS = {"systems": SYSTEMS, "tasks": TASKS, "corpus": SOURCES}
SECTIONS = {"configuration": Configuration, "settings": Setting}
SECTIONS |= {section: kind.entry for section, kind in PARTS.items()}
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
    kind, prefix = _class_of(name)
    schema = kind.model_json_schema()["properties"]
    shared = {*Setting.model_fields} if kind in KINDS.values() else {}
    paths = kind.marked(FILE) if issubclass(kind, Part) else ()
    return [
        Row(
            prefix + key,
            _default(field),
            "a path" if key in paths else allowed(schema[key]),
            " ".join(schema[key].get("description", "").split()).replace("null:", "none:"),
        )
        for key, field in kind.model_fields.items()
        if key not in shared and not _sections(field) and (prefix, key) != ("", "corpus")
    ]


def _class_of(name: str) -> tuple[type[Section], str]:
    """Return the class of a name, and how its keys begin."""
    section, _, variant = name.partition(" ")
    prefix = f"{section}.{{name}}." if section in NAMED else f"{section}."
    if variant and section in PARTS:
        part = PARTS[section]
        return part.kind(variant, {part.key: variant}), prefix if section == "corpus" else ""
    if variant in VARIANTS.get(section, ()):
        return VARIANTS[section][variant], prefix
    if not variant and (kind := SECTIONS.get(name) or _section(name.split("."))):
        return kind, "" if kind is Configuration else prefix
    homes = {x: home for home, part in PARTS.items() for x in part.known()}
    if name in homes:
        return _class_of(f"{homes[name]} {name}")
    if name.endswith(".py"):
        return _own(name), ""
    names = list(dict.fromkeys([*SECTIONS, *Configuration.model_fields, *homes]))
    raise UserError(f"there is no section and no part {name!r}; {did_you_mean(name, names)}")


def _section(place: list[str]) -> type[Section] | None:
    """Return the section at a place of the configuration."""
    kinds: list[type[Section]] = [Configuration]
    for key in place:
        fields = [x.model_fields[key] for x in kinds if key in x.model_fields]
        kinds = [kind for field in fields for kind in _sections(field)]
    return kinds[0] if kinds else None


def _own(path: str) -> type[Part]:
    """Return the class in a module of one's own, whichever kind of part it is."""
    for part in PARTS.values():
        try:
            return part.kind(path, {part.key: path})
        except UserError as error:
            said = error
    raise said


def _sections(field: FieldInfo) -> list[type[Section]]:
    found = [x for x in leaves(field.annotation) if isinstance(x, type)]
    return [x for x in found if issubclass(x, Section)]


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    return "required" if field.is_required() else written(default)


def written(value: Any) -> str:
    """Return a value as YAML has it, on a line, as code."""
    if value is None:
        return "none"
    return f"`{json.dumps(value).replace(QUOTE, '') or 2 * QUOTE}`"


def allowed(schema: Mapping[str, Any]) -> str:
    """Say in words what a JSON schema allows."""
    if options := schema.get("anyOf") or schema.get("oneOf"):
        said = [allowed(x) for x in options]
        return ("; or " if any("," in x for x in said) else " or ").join(said)
    if known := schema.get("enum") or ([schema["const"]] if "const" in schema else None):
        return ", ".join(map(written, known))
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
    found = {key: schema.get(key) for key in BOUNDS}
    return (BOUNDS[key].format(x) for key, x in found.items() if x is not None)


def schema() -> Schema:
    """Return the schema of a configuration as users write it.

    Users may write less than the types say: an empty section.
    """
    found = _plain(Configuration.model_json_schema())
    defined, keys = found["$defs"], found["properties"]
    for name, key in keys.items():
        if "$ref" in key:
            keys[name] = {"anyOf": [key, NOTHING]}
    [(pattern, entry)] = keys["settings"]["patternProperties"].items()
    keys["settings"]["patternProperties"] = {pattern: {"anyOf": [entry, NOTHING]}}
    for section, kind in PARTS.items():
        defined |= {f"{section}.{name}": _part(kind, name) for name in kind.known()}
        defined[section] = _naming(kind)
        said = {"description": keys[section]["description"]}
        keys[section] = said | ({"$ref": "#/$defs/corpus"} if kind is SOURCES else _entries(kind))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


def _part(kind: Kind, name: str) -> Schema:
    """Return the schema of an entry that names a part: its keys, and what all entries have."""
    own = kind.entry.model_json_schema()
    part = kind.kind(name, {kind.key: name}).model_json_schema()
    keys = {**own["properties"], **part["properties"], kind.key: {"const": name}}
    required = [*own.get("required", []), *part.get("required", [])]
    return _plain({**part, "properties": keys, "required": required})


def _naming(kind: Kind) -> Schema:
    """Return the schema of entries that name a part: one of ours, or a file."""
    own = {"properties": {kind.key: {"type": "string", "pattern": r"\.py$"}}}
    parts = [_ref(kind, x) for x in kind.known()]
    return {"type": "object", "required": [kind.key], "anyOf": [*parts, own]}


def _entries(kind: Kind) -> Schema:
    """Return the schema of a section: its entries name a part, or have the name of one."""
    named = {"$ref": f"#/$defs/{kind.section}"}
    return {
        "type": "object",
        "minProperties": 1,
        "properties": {x: {"anyOf": [_ref(kind, x), NOTHING, named]} for x in kind.known()},
        "additionalProperties": named,
    }


def _ref(kind: Kind, name: str) -> Schema:
    return {"$ref": f"#/$defs/{kind.section}.{name}"}


def _plain(part: Any) -> Any:
    """Drop titles, which repeat names; let variants overlap."""
    if isinstance(part, list):
        return [*map(_plain, part)]
    if not isinstance(part, dict):
        return part
    kept = {x: y for x, y in part.items() if not (x == "title" and isinstance(y, str))}
    if isinstance(said := kept.get("description"), str):
        kept["description"] = " ".join(said.split())
    return {"anyOf" if x == "oneOf" else x: _plain(y) for x, y in kept.items()}
