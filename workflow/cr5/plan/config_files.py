"""Read configuration files as snakemake does, but strictly: mistakes have their file and line."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from cr5.base.errors import UserError

EXPECTED = "expected keys and values (key: value), as docs/configuration.md explains them"
ADVICE = (
    "indent with spaces, and quote a text that holds ': ' or ' #' or begins with a special sign"
)
OTHER_THAN_TEXT = ("bool", "null", "int", "float", "timestamp")
# YAML 1.1 reads numbers with a leading zero as octal, and those with colons in base 60.
STRANGE_NUMBER = re.compile("[-+]?(0[0-7_]+|[^:]+:.*)")


class _StrictLoader(yaml.SafeLoader):
    """Rejects repeated keys, of which YAML takes the last, and what it reads as something else."""

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        lines: dict[str, int] = {}
        for key, _ in node.value:
            self._check_is_name(key)
            name = str(key.value)
            if name in lines:
                problem = f"the key {key.value!r} was already on line {lines[name]}; keep one"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            lines[name] = key.start_mark.line + 1
        return node

    def _check_is_name(self, key: yaml.Node) -> None:
        """Refuse a key that does not stay as it is written: `no` is false, 1.10 is 1.1."""
        if key.tag.removeprefix("tag:yaml.org,2002:") not in OTHER_THAN_TEXT:
            return
        value = self.construct_object(key)
        is_number = type(value) in (int, float)
        if not (is_number and str(value) == key.value):
            problem = f"YAML reads the key {key.value} as {value}; quote it"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            value = super().construct_object(node, deep)
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # a 13th month
            problem = f"{node.value!r} cannot be read ({error})"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark) from None
        if isinstance(value, int | float) and STRANGE_NUMBER.fullmatch(node.value):
            problem = f"YAML reads {node.value} as {value}; write that, or quote it if it is text"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
        return value


def read(path: str | Path) -> dict[str, Any]:
    """Read a configuration file in YAML, which JSON without tabs is too.

    UserError: there is none, or it is no mapping, or repeats a key.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        config = yaml.load(text, Loader=_StrictLoader)
        json.dumps(config, default=str)  # not of what an alias puts into itself
    except OSError as error:
        raise UserError(f"{path}: expected a configuration file ({error.strerror}).") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reasons = [reason for reason in (error.context, error.problem) if reason]
        raise UserError(f"{path}, line {mark.line + 1}: {' '.join(reasons)}; {ADVICE}.") from None
    except (ValueError, LookupError, yaml.YAMLError, RecursionError) as error:
        raise UserError(f"{path}: cannot be read: {error}; {EXPECTED}.") from None
    if not isinstance(config, dict):
        raise UserError(f"{path}: found {config!r:.60}; {EXPECTED}.")
    return config
