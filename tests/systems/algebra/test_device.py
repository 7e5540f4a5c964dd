import sys
from types import ModuleType, SimpleNamespace

import pytest

from cr5.base.errors import UserError
from cr5.systems.algebra.device import open_device


def test_a_missing_cupy_is_named_and_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(UserError, match=r"CuPy is not installed; install .* or set device: cpu"):
        open_device("cuda", 1)


def test_a_missing_gpu_is_named(monkeypatch):
    def fail():
        raise RuntimeError("cudaErrorNoDevice: no CUDA-capable device is detected")

    cupy = ModuleType("cupy")
    cupy.cuda = SimpleNamespace(runtime=SimpleNamespace(getDeviceCount=fail))
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(UserError, match=r"finds no GPU .cudaErrorNoDevice.* set device: cpu"):
        open_device("cuda", 1)
