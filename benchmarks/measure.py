"""Wall and CPU time and memory of one call, and how busy the machine was meanwhile."""

import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from threadpoolctl import threadpool_limits

Result = TypeVar("Result")


@dataclass(frozen=True)
class Cost:
    """What a call took.

    Attributes:
        wall: seconds.
        cpu: seconds over all threads; what a busy machine disturbs least.
        memory: MiB that were resident at the peak, above what was before the call.
        load: processes that wanted to run, on average over the last minute, this one included.
    """

    wall: float
    cpu: float
    memory: float
    load: float

    def __str__(self) -> str:
        """One line for a table."""
        return (
            f"{self.wall:8.1f} s wall {self.cpu:8.1f} s CPU {self.memory:8.0f} MiB"
            f"   load {self.load:.1f}"
        )


def measured(function: Callable[[], Result]) -> tuple[Result, Cost]:
    """Call a function with one BLAS thread, as in jobs; memory is NaN without /proc (Linux)."""
    before = _resident(reset=True)
    wall, cpu = time.perf_counter(), time.process_time()
    with threadpool_limits(1):
        result = function()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    memory = _resident()["VmHWM"] - before["VmRSS"]
    return result, Cost(wall, cpu, memory, os.getloadavg()[0])


def _resident(reset: bool = False) -> dict[str, float]:
    """Resident memory in MiB: now (VmRSS), and at the peak since the last reset (VmHWM)."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
    except OSError:
        return dict.fromkeys(("VmHWM", "VmRSS"), float("nan"))
    return {name: int(kib) / 1024 for name, kib in re.findall(r"(Vm\w+):\s+(\d+) kB", status)}
