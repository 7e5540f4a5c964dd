"""JSON in which a key that stands twice in an object is an error: Python takes the last one."""

import json
from typing import Any


def loads(text: str) -> Any:
    """Parse JSON.

    Raises:
        KeyError: of the key that stands twice.
        ValueError, RecursionError: as of `json.loads`.
    """
    return json.loads(text, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise KeyError(key)
        found[key] = value
    return found
