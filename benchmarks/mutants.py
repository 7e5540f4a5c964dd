"""Mutants of one module a folder: which of them the folder's tests kill.

`tests/mutants.csv` holds them, drawn once: a module, one of its lines, what the line becomes, and
whether a test fails then. Before a folder's tests are replaced and after it, the same must die:

    python -m benchmarks.mutants counts search           # prints what differs, and writes it
    python -m benchmarks.mutants --draw counts/rules.py
"""

import argparse
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "mutants.csv"
N = 40  # of a module
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+"}
OTHER |= {"*": "/", "/": "*", "//": "*", "%": "*", "**": "*", "&": "|", "not": "", "in": "not in"}
OTHER |= {"and": "or", "or": "and", "True": "False", "False": "True", "if": "if not"}
OTHER |= {"min": "max", "max": "min", "any": "all", "all": "any", "break": "continue"}


def mutants(text: str) -> Iterator[tuple[str, str]]:
    """Lines of a module that are there once, and what each becomes where one word is another."""
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        number, start = token.start
        other = OTHER.get(token.string)
        if token.type == tokenize.NUMBER and token.string.isdigit():
            other = str(int(token.string) + 1)
        line = lines[number - 1] if other is not None else ""
        if lines.count(line) == 1:
            changed = line[:start] + other + line[token.end[1] :]
            try:
                compile("\n".join([*lines[: number - 1], changed, *lines[number:]]), "", "exec")
            except SyntaxError:
                continue
            yield line, changed


def outcome(module: str, line: str, becomes: str, package: Path) -> str:
    """Run the folder's tests on a copy of the package with one line changed."""
    path = package / "cr5" / module
    whole = path.read_text(encoding="utf-8")
    if whole.splitlines().count(line) != 1:
        return "gone"
    path.write_text(whole.replace(f"{line}\n", f"{becomes}\n"), encoding="utf-8")
    tests = ROOT / "tests" / Path(module).parts[0]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-x", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *sorted(tests.rglob(f"test_{path.stem}*.py")), tests],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(package)},
            capture_output=True,
            timeout=600,
            check=False,
        )
        return "killed" if done.returncode else "survived"
    except subprocess.TimeoutExpired:
        return "killed"
    finally:
        path.write_text(whole, encoding="utf-8")


def main() -> None:
    """Draw mutants of a module, or tell which of the listed ones die."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--draw", metavar="MODULE")
    options = parser.parse_args()
    listed = pd.read_csv(LIST, dtype=str, keep_default_na=False)
    if module := options.draw:
        every = sorted(set(mutants((ROOT / "workflow/cr5" / module).read_text(encoding="utf-8"))))
        drawn = random.Random(1).sample(every, min(N, len(every)))
        new = [{"module": module, "line": x, "becomes": y, "outcome": ""} for x, y in drawn]
        pd.concat([listed[listed["module"] != module], pd.DataFrame(new)]).to_csv(LIST, index=False)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "workflow", folder, dirs_exist_ok=True)
        for i, (module, line, becomes, before) in listed.iterrows():
            if module.split("/")[0] in options.folders:
                listed.loc[i, "outcome"] = after = outcome(module, line, becomes, Path(folder))
                if after != before:
                    print(f"{module}: {becomes.strip()}: {before} -> {after}", flush=True)
                    listed.to_csv(LIST, index=False)


if __name__ == "__main__":
    main()
