"""Reads configuration files as snakemake does, but strictly: a mistake has its file and line."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from cr5.base import strict_json
from cr5.base.errors import UserError

EXPECTED = "expected keys and values (key: value), as config/README.md explains them"
ADVICE = (
    ". Indent with spaces, never with tabs, and quote a text that holds ': ' or ' #' or begins "
    "with one of {[*&!|>%@`"
)
# YAML 1.1 counts by eights after a zero, and by sixties between colons.
STRANGE_NUMBER = re.compile("[-+]?(0[0-7_]+|[^:]+:.*)")
SYNTAX = (yaml.scanner.ScannerError, yaml.parser.ParserError)


class _StrictLoader(yaml.FullLoader):
    """Refuses a key that is repeated, and says where what cannot be read stands."""

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        node = super().compose_mapping_node(anchor)
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            name = (key.tag, str(key.value))
            if name in lines:
                raise _at(key, f"the key {key.value!r} was already on line {lines[name]}; keep one")
            lines[name] = key.start_mark.line + 1
        return node

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node:
        node = super().compose_node(parent, index)
        if node.end_mark is None:
            raise _at(node, "what has an anchor here holds itself; write it out")
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            found = super().construct_object(node, deep)
        except ValueError as error:  # such as a thirteenth month
            problem = f"{node.value!r} cannot be read ({error}); quote it if it is text"
            raise _at(node, problem) from None
        if isinstance(found, int | float) and STRANGE_NUMBER.fullmatch(node.value):
            problem = f"YAML reads {node.value} as {found}; write that, or quote it if it is text"
            raise _at(node, problem)
        if isinstance(found, bytes | set):
            problem = f"found {node.tag}; write plain text, numbers, lists, or key: value"
            raise _at(node, problem)
        return found


def read(path: str | Path) -> dict[str, Any]:
    """Read a configuration file in YAML, or in JSON where its name ends so.

    Raises:
        UserError: there is no such file, it cannot be read, it is not UTF-8, not YAML or JSON,
            empty, a list or a single value, or it has a key twice.
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
        content = path.read_bytes()
    except FileNotFoundError:
        raise UserError(
            f"There is no configuration file {path}. Relative paths start at {Path.cwd()}."
        ) from None
    except OSError as error:
        raise UserError(f"{path}: expected a configuration file ({error.strerror}).") from None
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
        raise UserError(f"{path}, {place}: {said}{advice}.") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise UserError(f"{path}, line {line}: {error.reason}; remove the character.") from None


def _from_json(path: Path, text: str) -> Any:
    try:
        return strict_json.loads(text) if text.strip() else None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UserError(f"{path}, {place}: not JSON: {error.msg}.") from None
    except KeyError as error:
        raise UserError(f"{path}: the key {error} stands there twice; keep one.") from None


def _at(node: yaml.Node, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)
