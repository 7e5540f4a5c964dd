"""What `lint-imports` and `ruff` cannot see: no pickles are read, and plans are light."""

import subprocess
import sys
from pathlib import Path

import cr5

WORKFLOW = Path(cr5.__file__).parents[1]


def test_no_reader_of_arrays_allows_pickles():
    """A pickle can hold any program; NumPy refuses them unless it is told otherwise."""
    for path in WORKFLOW.rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            if "allow_pickle" in line:
                assert "allow_pickle=False" in line, path


def test_planning_loads_nothing_heavy():
    """Plans, systems, and the default's source and tasks import what computes when they do."""
    lines = [
        "import importlib, pkgutil, sys, yaml",
        "import cr5.plan",
        "from cr5.contracts.catalogue import SYSTEMS",
        "from cr5.plan.config import validated",
        "validated(yaml.safe_load(open(sys.argv[1])))",
        "names = [x.name for x in pkgutil.iter_modules(cr5.plan.__path__) if x.name != 'start']",
        "modules = [importlib.import_module(f'cr5.plan.{x}') for x in names]",
        "kinds = [SYSTEMS.part_class(name, {}) for name in SYSTEMS.known()]",
        "print(len(kinds), *{name.split('.')[0] for name in sys.modules})",
    ]
    command = [sys.executable, "-c", "\n".join(lines), WORKFLOW.parent / "config" / "config.yaml"]
    n_systems, *loaded = subprocess.check_output(command, text=True).split()
    assert int(n_systems) > 30
    heavy = {"numba", "scipy", "pandas", "pyarrow", "gensim", "requests", "snakemake"}
    assert heavy.isdisjoint(loaded)
