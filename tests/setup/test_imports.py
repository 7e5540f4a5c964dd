"""The workflow is read at each start: what takes long to import is left to its jobs."""

import re
import subprocess
import sys
from pathlib import Path

RULES = Path(__file__).parents[2] / "workflow" / "rules"
SLOW = {"gensim", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy"}
IMPORT = r"^from cr5\S* import (?:\([^)]*\)|.*)$"


def test_what_the_rules_import_first_is_quick():
    files = sorted(RULES.glob("*.smk"))
    lines = [x for file in files for x in re.findall(IMPORT, file.read_text("utf-8"), re.MULTILINE)]
    assert len(lines) > 20
    code = "\n".join([*lines, "import sys", "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not SLOW & set(done.stdout.split())
