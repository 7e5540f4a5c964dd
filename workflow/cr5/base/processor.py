"""Keeps jobs to the instructions that common processors share: the same bytes on each of them.

OpenBLAS, NumPy and Numba look, where they are loaded, for the widest instructions of the processor,
and another width adds up in another order. All read from the environment what to be content with,
so it has to be there before a process starts: a workflow sets it for its jobs, on the machine where
they run (`rules/common.smk`); a program that imports this package is left alone.
"""

import os
from collections.abc import MutableMapping
from typing import Literal

Choice = Literal["common", "own"]

BLAS, NUMPY = "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES"
COMMON = "Haswell"  # AVX2 and FMA, no AVX-512: Intel since 2013, AMD since 2015
COMMON_FEATURES = {"X86_V3", "AVX2"}  # names of the same in NumPy, since 2.4 and before
NUMBA = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+64bit,+avx,+avx2,+bmi,+bmi2,+cmov,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,"
    "+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
}
NEWER = ("X86_V4", "AVX512", "AVX10")


def limit(choice: Choice, environment: MutableMapping[str, str] = os.environ) -> None:
    """Set what processes that are started from here on read.

    What is there stands: another kind of processor for OpenBLAS, and what NumPy is not to use.

    Args:
        choice: `common` limits a processor of the kind x86-64 with AVX2, and changes nothing on
            others, for which OpenBLAS has no such kernels; `own` changes nothing.
        environment: to change.
    """
    extensions = simd()
    if choice == "own" or not COMMON_FEATURES & {*extensions["baseline"], *extensions["found"]}:
        return
    for name, value in {BLAS: COMMON, **NUMBA}.items():
        environment.setdefault(name, value)
    # What this machine lacks may not be named. What is disabled now is not found.
    newer = [name for name in extensions["found"] if name.startswith(NEWER)]
    if newer:
        environment[NUMPY] = " ".join([*environment.get(NUMPY, "").split(), *newer])


def simd() -> dict[str, list[str]]:
    """What NumPy is built with (`baseline`), and what it would use of this processor (`found`)."""
    import numpy as np  # not before it is asked: who reads a configuration need not wait for it

    told = np.show_config(mode="dicts").get("SIMD Extensions", {})
    return {key: told.get(key, []) for key in ("baseline", "found")}
