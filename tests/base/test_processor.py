import json
import os
import platform
import subprocess
import sys

import pytest

from cr5.base import processor
from cr5.base.processor import limit

NAMES = ("OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES")
AVX512 = {"baseline": ["X86_V2"], "found": ["X86_V3", "X86_V4", "AVX512_ICL"]}
AVX2 = {"baseline": ["X86_V2"], "found": ["X86_V3"]}


@pytest.fixture
def limited(monkeypatch):
    """What the environment is on a processor of which NumPy says this; Numba's part apart."""

    def run(told, choice="common", **environment):
        monkeypatch.setattr(processor, "simd", lambda: told)
        limit(choice, environment)
        numba = {environment.pop(name, None) for name in processor.NUMBA}
        is_limited = bool(environment.get(NAMES[0]))
        assert numba == (set(processor.NUMBA.values()) if is_limited else {None})
        return environment

    return run


def test_newer_instructions_that_are_there_are_left_out(limited):
    assert limited(AVX512) == {NAMES[0]: "Haswell", NAMES[1]: "X86_V4 AVX512_ICL"}
    older_names = {"baseline": ["SSE"], "found": ["AVX", "AVX2", "AVX512F", "AVX512_SKX"]}
    assert limited(older_names)[NAMES[1]] == "AVX512F AVX512_SKX"


@pytest.mark.parametrize(
    ("told", "choice"),
    [
        ({"baseline": ["X86_V2"], "found": []}, "common"),  # older: it cannot compute as a Haswell
        ({"baseline": ["NEON", "ASIMD"], "found": ["ASIMDHP", "SVE"]}, "common"),
        ({"baseline": [], "found": []}, "common"),
        (AVX512, "own"),  # may be used in full
    ],
)
def test_other_processors_are_left_alone(limited, told, choice):
    assert limited(told, choice) == {}


def test_what_another_machine_has_set_is_taken_back_where_it_would_kill(limited, monkeypatch):
    """A job inherits from where it was submitted; kernels that somebody chose are left."""
    inherited = limited(AVX512)
    environment = {**processor.PINS, **inherited, "HOME": "/root"}
    monkeypatch.setattr(processor, "simd", lambda: {"baseline": ["X86_V2"], "found": []})
    limit("common", environment)
    assert environment == {NAMES[1]: inherited[NAMES[1]], "HOME": "/root"}
    chosen = {NAMES[0]: "Nehalem"}
    limit("common", chosen)
    assert chosen == {NAMES[0]: "Nehalem"}


def test_what_the_environment_says_stands(limited):
    """As where the process that starts a job on another machine has set it."""
    environment = {NAMES[0]: "Sandybridge", NAMES[1]: "AVX512_SPR"}
    expected = {NAMES[0]: "Sandybridge", NAMES[1]: "AVX512_SPR X86_V4 AVX512_ICL"}
    assert limited(AVX512, **environment) == expected
    assert limited(AVX2, **expected) == expected  # of what is disabled nothing is found


CHILD = """
import json, subprocess, sys
from cr5.base import processor
processor.limit("common")
code = '''
import json
import numpy
from cr5.base.machine import kernels
from cr5.base.processor import simd
print(json.dumps([kernels(), simd()]))
'''
subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
"""


def test_a_process_that_is_started_then_keeps_to_them():
    environment = {name: value for name, value in os.environ.items() if name not in NAMES}
    done = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr == ""
    kernels, simd = json.loads(done.stdout)
    if platform.machine() not in ("x86_64", "AMD64") or "X86_V3" not in simd["found"]:
        pytest.skip(f"{platform.machine()} with {simd}: nothing is limited here")
    assert kernels == ["Haswell"]
    assert not [name for name in simd["found"] if name.startswith(("X86_V4", "AVX512"))]
