"""Read configuration files as snakemake does, but strictly: mistakes have their file and line."""

import json
import os
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from cr5.base import json_lines, limits
from cr5.base.errors import UserError

EXPECTED = "expected keys and values (key: value), as docs/configuration.md explains them"
ADVICE = (
    ". Indent with spaces, never with tabs, and quote a text that holds ': ' or ' #' or begins "
    "with one of {[*&!|>%@`"
)
# YAML 1.1 reads numbers with a leading zero as octal, and those with colons in base 60.
STRANGE_NUMBER = re.compile("[-+]?(0[0-7_]+|[^:]+:.*)")
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError)
LARGEST = 2**63 - 1
CALLED_FROM = "CR5_CALLED_FROM"  # in which ./run names the folder where it was called
SYNTAX = (yaml.scanner.ScannerError, yaml.parser.ParserError)


class _StrictLoader(yaml.SafeLoader):
    """Rejects repeated keys, and says where unreadable content is."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0
        self.sizes: dict[int, int] = {}  # of nodes, by id: number of values, with all repetitions

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _at(key, "found a list or keys and values in the place of a key; write text")
            name = (key.tag, str(key.value))
            if name in lines:
                raise _at(key, f"the key {key.value!r} was already on line {lines[name]}; keep one")
            lines[name] = key.start_mark.line + 1
        return node

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node:
        self.depth += 1
        if self.depth > limits.NESTING:
            raise _at(self.peek_event(), f"expected at most {limits.NESTING} levels of nesting")
        node = super().compose_node(parent, index)
        self.depth -= 1
        if node.end_mark is None:
            raise _at(node, "what has an anchor here holds itself; write it out")
        self.sizes[id(node)] = size = 1 + sum(self.sizes[id(x)] for x in _parts(node))
        if size > limits.VALUES:
            problem = f"over {limits.VALUES} values, all that * repeats counted in; write fewer"
            raise _at(node, problem)
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            found = super().construct_object(node, deep)
        except UNREADABLE as error:  # such as a thirteenth month, or !!int without a number
            problem = f"{node.value!r} cannot be read ({error}); quote it if it is text"
            raise _at(node, problem) from None
        if isinstance(found, int) and abs(found) > LARGEST:
            raise _at(node, f"a number beyond {LARGEST}; quote it if it is text")
        if isinstance(found, int | float) and STRANGE_NUMBER.fullmatch(node.value):
            problem = f"YAML reads {node.value} as {found}; write that, or quote it if it is text"
            raise _at(node, problem)
        if isinstance(found, bytes | set):
            problem = f"found {node.tag}; write plain text, numbers, lists, or key: value"
            raise _at(node, problem)
        return found


def read(path: str | Path) -> dict[str, Any]:
    """Read a configuration file in YAML, or in JSON if it has that suffix.

    Raises:
        UserError: it is missing, unreadable, not UTF-8, not YAML or JSON, empty, a list or a
            single value, or it repeats a key.
    """
    path = Path(path)
    text = _text(path)
    found = _from_json(path, text) if path.suffix == ".json" else _from_yaml(path, text)
    if found is None:
        raise UserError(f"{path}: the file is empty; {EXPECTED}.")
    if not isinstance(found, dict):
        kind = "a list" if isinstance(found, list) else f"the single value {found!r:.60}"
        raise UserError(f"{path}: found {kind}; {EXPECTED}.")
    return found


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(limits.CONFIGURATION + 1)
    except FileNotFoundError:
        there = Path(os.environ.get(CALLED_FROM, "."), path).resolve()
        hint = f" Did you mean {there}?" if there.is_file() else ""
        raise UserError(
            f"There is no configuration file {path}. Relative paths start at {Path.cwd()}.{hint}"
        ) from None
    except OSError as error:
        raise UserError(f"{path}: expected a configuration file ({error.strerror}).") from None
    if len(content) > limits.CONFIGURATION:
        raise UserError(
            f"{path}: more than {limits.CONFIGURATION} bytes; is it a configuration? {EXPECTED}."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"{path}, line {line}: the byte 0x{content[error.start]:02x} is no UTF-8; save the "
            "file in UTF-8."
        ) from None


def _from_yaml(path: Path, text: str) -> Any:
    try:
        return yaml.load(text, Loader=_StrictLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}"
        said = " ".join(x for x in (error.context, error.problem) if x)
        advice = ADVICE if isinstance(error, SYNTAX) else ""
        if isinstance(error, yaml.constructor.ConstructorError):  # an unknown tag
            advice = "; write plain values"
        raise UserError(f"{path}, {place}: {said}{advice}.") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise UserError(f"{path}, line {line}: {error.reason}; remove the character.") from None


def _from_json(path: Path, text: str) -> Any:
    try:
        return _nested(json_lines.loads(text)) if text.strip() else None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UserError(f"{path}, {place}: not JSON: {error.msg}.") from None
    except KeyError as error:
        raise UserError(f"{path}: the key {error} stands there twice; keep one.") from None
    except (ValueError, RecursionError) as error:  # of too long a number, or from `_nested`
        raise UserError(f"{path}: cannot be read ({error}); shorten what it says.") from None


def _nested(value: Any, depth: int = 1) -> Any:
    """Return the value read from JSON; raise ValueError if it is nested too deeply."""
    if depth > limits.NESTING:
        raise ValueError(f"expected at most {limits.NESTING} levels of nesting")
    if isinstance(value, int) and abs(value) > LARGEST:
        raise ValueError(f"a number beyond {LARGEST}")
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _nested(part, depth + 1)
    return value


def _parts(node: yaml.Node) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return chain.from_iterable(node.value)
    return iter(node.value if isinstance(node, yaml.SequenceNode) else ())


def _at(place: yaml.Node | yaml.Event, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=place.start_mark)
