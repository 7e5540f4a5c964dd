"""What starts often imports little: each start of the workflow, and whoever imports the package."""

import re
import subprocess
import sys
from pathlib import Path

RULES = Path(__file__).parents[2] / "workflow" / "rules"
SLOW = {"gensim", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy"}
IMPORT = r"^from cr5\S* import (?:\([^)]*\)|.*)$"


def slow_imports(code):
    code = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return SLOW & set(done.stdout.split())


def test_what_the_rules_import_first_is_quick():
    files = sorted(RULES.glob("*.smk"))
    lines = [x for file in files for x in re.findall(IMPORT, file.read_text("utf-8"), re.MULTILINE)]
    assert len(lines) > 20
    assert not slow_imports("\n".join(lines))


def test_the_package_imports_what_is_asked_for():
    assert not slow_imports("import cr5")
    assert slow_imports("import cr5; cr5.load") == {"numpy", "pyarrow", "scipy"}
