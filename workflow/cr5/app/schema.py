"""The configuration as a JSON schema, for editors, workflow catalogues and other programs.

`cr5 info --schema` prints it. `cr5.plan.config` reads the same classes, and sees more: what
contradicts each other.
"""

from typing import Any

from cr5.base.parts import SOURCES, SYSTEMS, TASKS, Kind
from cr5.plan.config import Configuration
from cr5.plan.kinds import Setting

Schema = dict[str, Any]

TEXT, NUMBER, NOTHING = {"type": "string"}, {"type": "integer"}, {"type": "null"}
OWN = {"type": "string", "pattern": r"\.py$"}


def schema() -> Schema:
    """Return the schema of a configuration as users write it.

    Users may write less than the types say: an empty section, a pair as `da-en`, a number of
    examples.
    """
    found = _plain(Configuration.model_json_schema())
    defined, keys = found["$defs"], found["properties"]
    for name, key in keys.items():
        if "$ref" in key:
            keys[name] = _or(key, NOTHING)
    _values(keys["settings"], NOTHING)
    for section in defined.values():
        if section.get("properties", {}).get("pairs", {}).get("items", {}).get("type") == "array":
            pairs = section["properties"]["pairs"]
            pairs["items"] = _or(pairs["items"], TEXT)
    examples = defined["Evaluation"]["properties"]
    examples["examples"] = _or(examples["examples"], NUMBER)
    for kind in (SYSTEMS, TASKS, SOURCES):
        defined |= {f"{kind.section}.{name}": _part(kind, name) for name in kind.known()}
    for kind in (SYSTEMS, TASKS):
        defined[kind.section] = _naming(kind)
        keys[kind.section] = {**_entries(kind), "description": keys[kind.section]["description"]}
    sources = [_ref(SOURCES, name) for name in SOURCES.known()]
    keys["corpus"] = {
        "description": keys["corpus"]["description"],
        "anyOf": [*sources, _named(SOURCES, OWN)],
    }
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
    known = [{"allOf": [_named(kind, {"const": x}), _ref(kind, x)]} for x in kind.known()]
    return {"anyOf": [*known, _named(kind, OWN)]}


def _entries(kind: Kind) -> Schema:
    """Return the schema of a section: its entries name a part, or have the name of one."""
    naming = {"$ref": f"#/$defs/{kind.section}"}
    return {
        "type": "object",
        "minProperties": 1,
        "properties": {x: {"anyOf": [_ref(kind, x), NOTHING, naming]} for x in kind.known()},
        "additionalProperties": naming,
    }


def _ref(kind: Kind, name: str) -> Schema:
    return {"$ref": f"#/$defs/{kind.section}.{name}"}


def _named(kind: Kind, what: Schema) -> Schema:
    return {"type": "object", "properties": {kind.key: what}, "required": [kind.key]}


def _values(section: Schema, other: Schema) -> None:
    """Let the entries of a section be something else too."""
    if "patternProperties" in section:
        [(pattern, values)] = section["patternProperties"].items()
        section["patternProperties"] = {pattern: _or(values, other)}
    else:
        section["additionalProperties"] = _or(section["additionalProperties"], other)


def _or(key: Schema, other: Schema) -> Schema:
    said = {"description": key["description"]} if "description" in key else {}
    rest = {x: y for x, y in key.items() if x != "description"}
    return {**said, "anyOf": [*rest.pop("anyOf", []), *([rest] if rest else []), other]}


def _plain(part: Any) -> Any:
    """Drop titles, which repeat names, and what only takes mistakes; let variants overlap."""
    if isinstance(part, list):
        return [_plain(x) for x in part if x != {"$ref": f"#/$defs/{Setting.__name__}"}]
    if not isinstance(part, dict):
        return part
    kept = {x: y for x, y in part.items() if not (x == "title" and isinstance(y, str))}
    kept.pop(Setting.__name__, None)
    if isinstance(said := kept.get("description"), str):
        kept["description"] = " ".join(said.split())
    return {"anyOf" if x == "oneOf" else x: _plain(y) for x, y in kept.items()}
