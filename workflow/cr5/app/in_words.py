"""Values and what a JSON schema allows, in words of the tables of keys."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

PLURALS = re.compile("^(integer|number|text|mapping)")
BOUNDS = {
    "minimum": "{:g} or more",
    "exclusiveMinimum": "above {:g}",
    "maximum": "{:.10g} or less",
    "exclusiveMaximum": "below {:g}",
}


def written(value: Any) -> str:
    """Return a value as YAML has it, on a line, as code."""
    match value:
        case None:
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case "":
            return '`""`'
        case list() | tuple():
            return f"`[{', '.join(written(x).strip('`') for x in value)}]`"
        case dict():
            items = (f"{key}: {written(x).strip('`')}" for key, x in value.items())
            return f"`{{{', '.join(items)}}}`"
    return f"`{value}`"


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
