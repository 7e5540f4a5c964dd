"""The machine that made a result and the packages on it: the last bits depend on both."""

import importlib.metadata
import platform
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401  only loaded libraries are listed; this also loads numpy's
from threadpoolctl import threadpool_info

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
