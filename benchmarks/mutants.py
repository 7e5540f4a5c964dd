"""How many random mutants of a module survive the tests of its folder.

    .venv/bin/python -m benchmarks.mutants counts/bags counts/vocabulary

A mutant has one change: another comparison, operation, constant or condition, or a statement less.
Each is tried in a copy of the repository by the fast tests in `tests/FOLDER`.
Those that live are printed: a test is missing, or they change nothing that matters.
"""

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 600  # seconds
NOT_COPIED = shutil.ignore_patterns(".*", "results", "made", "__pycache__")
COMPARISONS = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn)
OPERATIONS = (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr), (ast.And, ast.Or)
PAIRS = (*COMPARISONS, (ast.Is, ast.IsNot), *OPERATIONS)
SWAPPED = {ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, **dict(PAIRS)}
SWAPPED |= {after: before for before, after in PAIRS}
REMOVED = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break)


def changed(node: ast.AST) -> ast.AST | None:
    """Return a node's mutant; nothing for a node that has none."""
    mutant = copy.copy(node)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        mutant.ops = [SWAPPED[type(node.ops[0])](), *node.ops[1:]]
    elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in SWAPPED:
        mutant.op = SWAPPED[type(node.op)]()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        mutant = node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        mutant.value = not node.value if type(node.value) is bool else node.value + 1
    elif isinstance(node, REMOVED) or (type(node) is ast.Expr and type(node.value) is ast.Call):
        mutant = ast.copy_location(ast.Pass(), node)
    else:
        mutant = None
    return mutant


class Mutation(ast.NodeTransformer):
    """Counts the places of a tree that have a mutant, and changes the one of that number."""

    def __init__(self, tree: ast.Module, number: int | None = None):
        self.number = number
        self.places = 0
        self.said = ""
        nodes = list(ast.walk(tree))
        self.types = {id(getattr(node, "annotation", None)) for node in nodes}
        self.types |= {id(getattr(node, "returns", None)) for node in nodes}
        self.tree = self.visit(tree)

    def visit(self, node):
        """Change a node, or what is inside; types stay as they are."""
        if id(node) in self.types:
            return node
        mutant = changed(node)
        if mutant is not None:
            self.places += 1
            if self.places - 1 == self.number:
                self.said = f"{node.lineno}: {ast.unparse(node)} -> {ast.unparse(mutant)}"
                return mutant
        return self.generic_visit(node)


def dies(folder: Path, tests: str) -> bool:
    """Tell whether a test fails in a copy of the repository, or does not end."""
    command = [sys.executable, "-m", "pytest", tests, "-x", "-n", "0", "-p", "no:cacheprovider"]
    paths = os.pathsep.join([str(folder / "workflow"), str(folder)])
    variables = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(command, cwd=folder, env=variables, timeout=LIMIT, capture_output=True)
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def try_mutants(module: str, n: int, seed: int, folder: Path) -> None:
    """Print which mutants of a module live, and how many die."""
    path = folder / "workflow" / "cr5" / f"{module}.py"
    tests = f"tests/{module.split('/')[0]}"
    source = path.read_text(encoding="utf-8")
    if dies(folder, tests):
        sys.exit(f"{tests} fails without a change")
    places = Mutation(ast.parse(source)).places
    numbers = random.Random(seed).sample(range(places), min(n, places))
    n_dead = len(numbers)
    for number in numbers:
        mutation = Mutation(ast.parse(source), number)
        path.write_text(ast.unparse(mutation.tree), encoding="utf-8")
        if not dies(folder, tests):
            n_dead -= 1
            print(f"{module}.py:{mutation.said}", flush=True)
    path.write_text(source, encoding="utf-8")
    print(f"{module}: {n_dead} of {len(numbers)} mutants die, of {places} places", flush=True)


def main() -> None:
    """Try mutants of the modules that are named."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="+", metavar="FOLDER/MODULE")
    parser.add_argument("--mutants", type=int, default=40, help="of each module")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = shutil.copytree(Path(__file__).parents[1], f"{name}/copy", ignore=NOT_COPIED)
        for module in arguments.modules:
            try_mutants(module, arguments.mutants, arguments.seed, Path(folder))


if __name__ == "__main__":
    main()
