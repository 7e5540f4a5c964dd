"""Measures fetching on the loopback address: processor time, and what faults and kills cost.

    .venv/bin/python -m benchmarks.download --megabytes 500

Each line: wall and processor seconds of the fetching process, MB per processor-second, and bytes
that came over the network for one byte of the file. The server is a process of its own.
"""

import argparse
import hashlib
import logging
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cr5.corpora.fetch.download import fetch
from cr5.corpora.fetch.pins import Pin
from cr5.corpora.wikimedia.settings import Settings

HERE = Path(__file__).parent
NAME = "file.bz2"
SETTINGS = Settings(contact="a benchmark", wait=0.001)
CASES = {
    "undisturbed": "",
    "every connection breaks after 20 MB": "*=break:20000000",
    "corrupt once": "*=corrupt*1",
}


def make_file(path: Path, megabytes: int) -> str:
    """Write random bytes; return their sha256."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        for _ in range(megabytes):
            block = os.urandom(1_000_000)
            digest.update(block)
            file.write(block)
    return digest.hexdigest()


def serve(folder: Path, fault: str) -> tuple[subprocess.Popen, str]:
    """Start the server; return it and its address."""
    command = [sys.executable, HERE / "mirror.py", "serve", folder]
    command += ["--fault", fault] if fault else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().split()[-1]


def fetched(pin: Pin, target: Path, case: str) -> None:
    """Fetch in a process of its own and print what it took."""
    size = pin.bytes
    start, child = time.monotonic(), os.fork()
    if child == 0:
        result = fetch(pin, target, SETTINGS)
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu, wall = used.ru_utime + used.ru_stime, time.monotonic() - start
        print(
            f"{case}: {wall:.1f} s, {cpu:.1f} CPU-s, {size / 1e6 / cpu:.0f} MB/CPU-s, "
            f"{result.received / size:.3f} bytes received per byte, "
            f"{used.ru_maxrss / 1024:.0f} MB resident",
            flush=True,
        )
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"{case}: failed")


def killed(pin: Pin, target: Path, times: int = 3) -> None:
    """Kill the fetching process hard several times, then fetch the rest."""
    part = target.with_name(f"{target.name}.part")
    for number in range(1, times + 1):
        child = os.fork()
        if child == 0:
            fetch(pin, target, SETTINGS)
            os._exit(0)
        goal = pin.bytes * number // (times + 1)
        while not part.exists() or part.stat().st_size < goal:
            time.sleep(0.001)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    kept = part.stat().st_size
    result = fetch(pin, target, SETTINGS)
    print(
        f"killed {times} times: {kept / 1e6:.0f} MB were there after the last time, "
        f"{result.received / 1e6:.0f} MB of {pin.bytes / 1e6:.0f} came afterwards, sha256 right"
    )


def main() -> None:
    """Measure each case once."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, default=500)
    megabytes = parser.parse_args().megabytes
    logging.disable(logging.WARNING)  # of every broken connection
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "dumps")
        source.mkdir()
        checksum = make_file(source / NAME, megabytes)
        for case, fault in {**CASES, "killed": "*=slow:100000000"}.items():
            server, url = serve(source, fault)
            about = ("made up", "content", "2026-10-01", "text", NAME, f"{url}/{NAME}")
            pin = Pin(*about, megabytes * 1_000_000, "sha256", checksum)
            target = Path(folder, case, NAME)
            (killed(pin, target) if case == "killed" else fetched(pin, target, case))
            target.unlink()
            server.kill()
            server.wait()
            server.stdout.close()


if __name__ == "__main__":
    main()
