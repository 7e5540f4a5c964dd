"""The machine of a result and the packages on it, on which the last bits depend."""

import importlib.metadata
import platform
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401  only loaded libraries are listed; this also loads numpy's
from threadpoolctl import threadpool_info

from cr5 import __version__

PACKAGE = Path(__file__).parents[1]
CAN_CHANGE_RESULTS = (
    "gensim", "lxml", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "pydantic", "pyyaml",
    "regex", "safetensors", "scipy", "snakemake", "tabulate", "threadpoolctl",
    # which find words, stem them and write them in Latin letters
    "icu4py", "nltk", "snowballstemmer", "anyascii",
)  # fmt: skip


def machine() -> dict[str, Any]:
    """Describe the machine, and the loaded libraries, without paths, which may name people."""
    libraries = []
    for library in threadpool_info():
        facts = {name: fact for name, fact in library.items() if fact is not None}
        facts.pop("filepath", None)
        libraries.append(facts)
    return {
        "processor": processor(),
        "architecture": platform.machine(),
        "system": platform.platform(),
        "libraries": sorted(libraries, key=str),
    }


def kernels() -> list[str]:
    """Return the kinds of processor that the linear algebra libraries chose kernels for."""
    blas = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return sorted({library.get("architecture", library["internal_api"]) for library in blas})


def processor() -> str:
    """Return the processor's model, or its architecture if the system tells no more."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    for line in lines:
        model = line.partition(":")[2].strip()
        if model and line.startswith("model name"):
            return model
    return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """Return the versions of this package, of Python and of what can change results."""
    versions = {"cr5": __version__, "python": platform.python_version()}
    for package in CAN_CHANGE_RESULTS:
        with suppress(PackageNotFoundError):
            versions[package] = importlib.metadata.version(package)
    return versions


@cache
def code() -> str:
    """Return the version and, in a checkout, the commit; `-dirty` if the workflow changed since."""
    try:
        _git("ls-files", "--error-unmatch", "__init__.py")  # fails outside a checkout
        commit = _git("rev-parse", "--short=10", "HEAD")
        changed = _git("status", "--porcelain", "--", "..", ":(top)Snakefile")
    except (OSError, subprocess.SubprocessError):
        return __version__
    version = f"{__version__}+{commit}"
    if changed:
        version += "-dirty"
    return version


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(PACKAGE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return done.stdout.strip()
