import importlib.metadata
import json
import platform

import numpy as np
from threadpoolctl import threadpool_limits

from cr5.base import machine

CPUINFO = """processor\t: 0
vendor_id\t: GenuineIntel
model name\t: Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz
flags\t\t: fpu vme

processor\t: 1
model name\t: Other
"""


def test_the_processor_is_named_by_its_model(tmp_path, monkeypatch):
    path = tmp_path / "cpuinfo"
    path.write_text(CPUINFO)
    monkeypatch.setattr(machine, "CPUINFO", path)
    assert machine.machine()["processor"] == "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"


def test_a_system_that_does_not_name_it(tmp_path, monkeypatch):
    """As macOS, which has no such file, and ARM, whose file has no model."""
    monkeypatch.setattr(platform, "processor", lambda: "")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    for text in (None, "processor\t: 0\nBogoMIPS\t: 50.00\n"):
        path = tmp_path / f"{text is None}"
        if text:
            path.write_text(text)
        monkeypatch.setattr(machine, "CPUINFO", path)
        assert machine.processor() == "aarch64"


def test_blas_its_kernels_and_its_threads_are_named():
    np.ones((2, 2)) @ np.ones((2, 2))
    with threadpool_limits(1, user_api="blas"):
        found = machine.machine()
    assert found["architecture"] == platform.machine()
    blas = [each for each in found["libraries"] if each["user_api"] == "blas"]
    assert blas
    for each in blas:
        assert each["num_threads"] == 1
        assert {"internal_api", "version"} <= each.keys()
    assert any(each.get("architecture") for each in blas if each["internal_api"] == "openblas")
    assert json.loads(json.dumps(found)) == found
    assert "/" not in json.dumps(found["libraries"])


def test_everything_that_is_installed_is_named_sorted():
    found = machine.installed()
    assert list(found) == sorted(found)
    for name in ("numpy", "pytest", "threadpoolctl"):
        assert found[name] == importlib.metadata.version(name)
    assert len(found) > 20
