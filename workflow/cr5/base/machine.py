"""The machine of a result and the packages on it, on which the last bits depend."""

import importlib.metadata
import platform
import re
import subprocess
import tomllib
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401  only loaded libraries are listed; this also loads numpy's
from threadpoolctl import threadpool_info

from cr5 import __version__

PACKAGE = Path(__file__).parents[1]
PYPROJECT = PACKAGE.parents[1] / "pyproject.toml"
OF_A_RUN = ("fit", "workflow")  # extras
CPUINFO = Path("/proc/cpuinfo")
OF_LIBRARY = ("user_api", "internal_api", "prefix", "version", "architecture", "threading_layer")


def machine() -> dict[str, Any]:
    """Describe the machine.

    Returns:
        `processor`, its model; `architecture`; `system`; and `libraries`, the loaded ones for
        linear algebra and threads: name, version, the kind of processor their kernels were chosen
        for, and number of threads. Paths are left out: they may name people.
    """
    libraries = [
        {name: each[name] for name in (*OF_LIBRARY, "num_threads") if each.get(name) is not None}
        for each in threadpool_info()
    ]
    return {
        "processor": processor(),
        "architecture": platform.machine(),
        "system": platform.platform(),
        "libraries": sorted(libraries, key=str),
    }


def kernels() -> list[str]:
    """Return the kinds of processor that the linear algebra libraries chose kernels for."""
    blas = [each for each in threadpool_info() if each["user_api"] == "blas"]
    return sorted({each.get("architecture", each["internal_api"]) for each in blas})


def processor() -> str:
    """Return the processor's model, or its architecture if the system tells no more."""
    try:
        lines = CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(filter(None, models), platform.processor() or platform.machine())


def installed() -> dict[str, str]:
    """Return the version of each installed distribution, sorted; the first if a name repeats."""
    found: dict[str, str] = {}
    for each in importlib.metadata.distributions():
        name = each.metadata["Name"]  # None if its folder is damaged
        if name:
            found.setdefault(name.lower(), each.version)
    return dict(sorted(found.items()))


def versions() -> dict[str, str]:
    """Return the versions of this package, of Python and of what can change results."""
    found = {"cr5": __version__, "python": platform.python_version()}
    names = {re.match(r"[\w.-]+", line)[0] for line in _requirements()} - {"cr5"}
    # these extras change results too: they find words, stem them and write them in Latin letters
    for package in (*sorted(names), "icu4py", "nltk", "snowballstemmer", "anyascii"):
        with suppress(PackageNotFoundError):
            found[package] = importlib.metadata.version(package)
    return found


def _requirements() -> list[str]:
    """Return what a run requires; a checkout need not be installed."""
    try:
        declared = importlib.metadata.requires("cr5") or []
    except PackageNotFoundError:
        if not PYPROJECT.is_file():  # only a copy of the package
            return []
        project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
        extras = project["optional-dependencies"]
        return [*project["dependencies"], *(line for extra in OF_A_RUN for line in extras[extra])]
    return [line for line in declared if _extra(line) in (None, *OF_A_RUN)]


def _extra(line: str) -> str | None:
    found = re.search(r"extra == ['\"](\w+)", line)
    return found and found[1]


@cache
def code() -> str:
    """Return the version and, in a checkout, the commit; `-dirty` if the workflow changed since."""
    try:
        _git("ls-files", "--error-unmatch", "__init__.py")  # fails outside a checkout
        commit = _git("rev-parse", "--short=10", "HEAD")
        changed = _git("status", "--porcelain", "--", "..", ":(top)Snakefile")
    except (OSError, subprocess.SubprocessError):
        return __version__
    return f"{__version__}+{commit}{'-dirty' if changed else ''}"


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(PACKAGE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return done.stdout.strip()
