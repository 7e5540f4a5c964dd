"""Limit jobs to instructions that common processors share, so that all give the same bytes.

When loaded, OpenBLAS, NumPy and Numba look for the processor's widest instructions, and another
width sums in another order. All of them read a limit from the environment, which must be set before
a process starts: a workflow sets it for its jobs, on the machine where they run
(`rules/common.smk`); a program that imports this package is left alone.
"""

import os
from collections.abc import MutableMapping
from typing import Literal

Choice = Literal["common", "own"]

BLAS = "OPENBLAS_CORETYPE"
NUMPY = "NPY_DISABLE_CPU_FEATURES"
COMMON = "Haswell"  # AVX2 and FMA, no AVX-512: Intel since 2013, AMD since 2015
COMMON_FEATURES = {"X86_V3", "AVX2"}  # NumPy's names of the same, since 2.4 and before
NUMBA = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,"
    "+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
}
PINS = {BLAS: COMMON, **NUMBA}
NEWER = ("X86_V4", "AVX512", "AVX10")


def limit(choice: Choice, environment: MutableMapping[str, str] = os.environ) -> None:
    """Set the environment of processes started from now on.

    Values that are already set are kept: a job may inherit what was set where it was submitted,
    and the features of the machine it runs on are added; NumPy ignores those it lacks. On other
    processors than x86-64 with AVX2 what such a machine has set is removed: OpenBLAS would crash.
    """
    if choice == "own":
        return
    extensions = simd()
    if COMMON_FEATURES.isdisjoint(extensions["baseline"] + extensions["found"]):
        for name, value in PINS.items():
            if environment.get(name) == value:
                del environment[name]
        return
    for name, value in PINS.items():
        environment.setdefault(name, value)
    # Features that are already disabled are not found, and stay disabled.
    newer = [name for name in extensions["found"] if name.startswith(NEWER)]
    if newer:
        disabled = environment.get(NUMPY, "").split()
        environment[NUMPY] = " ".join(disabled + newer)


def simd() -> dict[str, list[str]]:
    """Return what NumPy is built with (`baseline`) and what it would use here (`found`)."""
    import numpy as np  # imported late: reading a configuration need not wait for it

    extensions = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return {key: extensions.get(key, []) for key in ("baseline", "found")}
