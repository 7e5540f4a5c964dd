"""How dense Python is: what its syntax tree and its names ask of a reader, line by line.

Lines of code are those without blank lines, comments and docstrings. Names are those that an
assignment, a loop or a comprehension binds.
"""

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
HAVE_DOCSTRINGS = (ast.Module, ast.ClassDef) + FUNCTIONS
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NAMES = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Starred)
OPERATIONS = (ast.Call, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp)
NODES = NAMES + OPERATIONS + COMPREHENSIONS
LAYOUT = {
    getattr(tokenize, name)
    for name in ("COMMENT", "NL", "NEWLINE", "INDENT", "DEDENT", "ENCODING", "ENDMARKER")
}
VAGUE = """
    this that these those it its one two own each every all any both other others
    many few more most least some rest what which who whose how where when there about of
    found given made kept left said read write thing things
    data info item items obj res ret temp tmp val
"""
SAY_NOTHING = frozenset(VAGUE.split())


@dataclass(frozen=True)
class Measure:
    """What is counted, how many of it in how many of what: `count` in `scale` times `of`."""

    count: str
    of: str
    scale: float

    def value(self, counts: Counter) -> float:
        """Return the figure of counted code; 0 where there is nothing to count in."""
        return self.scale * counts[self.count] / max(counts[self.of], 1)

    def excess(self, counts: Counter, bar: float) -> float:
        """Return how many fewer there had to be for a figure at the bar."""
        return counts[self.count] - bar * counts[self.of] / self.scale


MEASURES = {
    "several at once": Measure("several", "lines", 1000),
    "conditional": Measure("conditional", "lines", 1000),
    "nested": Measure("nested", "lines", 1000),
    "starred": Measure("starred", "lines", 1000),
    "nodes a line": Measure("nodes", "lines", 1),
    "say nothing": Measure("say nothing", "names", 100),
    "one letter": Measure("letters", "names", 100),
}


@dataclass(frozen=True)
class Code:
    """A file's syntax tree or a function's, and what it counts; `place` says where it stands."""

    place: str
    counts: Counter


def total(files: Iterable[Path]) -> Counter:
    """Return what files count together."""
    return sum((counted(_read(path)) for path in files), Counter())


def functions(files: Iterable[Path]) -> Iterator[Code]:
    """Yield each function of files."""
    for path in files:
        source = _read(path)
        tree = ast.parse(source)
        lines = _code_lines(source, tree)
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                place = f"{path.name}:{node.lineno} {node.name}"
                yield Code(place, _counts(node, lines))


def counted(source: str) -> Counter:
    """Count the lines, nodes and names of Python code, and those that ask more of its reader."""
    tree = ast.parse(source)
    return _counts(tree, _code_lines(source, tree))


def _code_lines(source, tree):
    """Return the numbers of the lines of code."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {token.start[0] for token in tokens if token.type not in LAYOUT}
    for node in ast.walk(tree):
        body = node.body if isinstance(node, HAVE_DOCSTRINGS) else []
        for statement in body:
            if _is_docstring(statement):
                lines -= set(range(statement.lineno, statement.end_lineno + 1))
    return lines


def _is_docstring(statement):
    """Tell whether a statement is text alone: below the head of what it explains, or a key."""
    value = getattr(statement, "value", None)
    return isinstance(statement, ast.Expr) and isinstance(getattr(value, "value", None), str)


def _counts(tree, lines):
    counts = Counter()
    first = getattr(tree, "lineno", 1)
    last = getattr(tree, "end_lineno", max(lines, default=0))
    counts["lines"] = sum(first <= line <= last for line in lines)
    for node in ast.walk(tree):
        counts["nodes"] += isinstance(node, NODES)
        counts["conditional"] += isinstance(node, ast.IfExp)
        counts["starred"] += isinstance(node, ast.Starred)
        counts["nested"] += isinstance(node, COMPREHENSIONS) and _is_nested(node)
        counts["several"] += isinstance(node, ast.Assign) and _makes_several(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id.strip("_")
            counts["names"] += 1
            counts["say nothing"] += name in SAY_NOTHING and len(name) > 1
            counts["letters"] += len(name) == 1
    return counts


def _is_nested(comprehension):
    """Tell whether a comprehension has two loops, or another comprehension inside."""
    inside = sum(isinstance(node, COMPREHENSIONS) for node in ast.walk(comprehension))
    return len(comprehension.generators) > 1 or inside > 1


def _makes_several(assignment):
    """Tell whether an assignment gives a tuple that it makes itself to several names."""
    targets = [isinstance(target, ast.Tuple) for target in assignment.targets]
    return isinstance(assignment.value, ast.Tuple) and any(targets)


def _read(path):
    return path.read_text(encoding="utf-8")
