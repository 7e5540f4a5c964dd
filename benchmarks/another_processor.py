"""Does a finished run again as if on another processor, and compares every byte: `cr5 verify`.

    .venv/bin/python -m benchmarks.another_processor results/libreoffice_help --cpu Haswell

With --cpu the jobs run under `qemu-x86_64` (Debian: qemu-user) as that processor; `qemu-x86_64 -cpu
help` names those it knows. NumPy has no loops for AVX2 there, some of which qemu computes wrongly:
so what games of `advrefine` and steps of `wasserstein` report has other last digits. With --kernels
jobs run on this processor, with the kernels that OpenBLAS has for another: so it can be seen how
much depends on them. To be started where the run was.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cr5
from cr5.base import processor
from cr5.plan import config_files

FORKED = Path(__file__).parent / "processors" / "forked.py"
QEMU = "qemu-x86_64"
# One thread where children begin: threads do not come along, and qemu 7.2 gives up where some were.
# The sorts that NumPy has for AVX2 come out wrong in qemu 7.2 (or end in a violation of memory). So
# its loops are the older ones there, whose exp, log and tanh in float32 have other last digits.
UNUSED = "X86_V3"
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}


def main() -> None:
    """Verify, with jobs elsewhere; ends as `cr5 verify` does."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path)
    parser.add_argument("--cpu", help="that qemu shows the jobs; without it they run on this one")
    parser.add_argument("--kernels", help="for which OpenBLAS computes, whatever is configured")
    parser.add_argument("--again", default="all", help="how many jobs; see cr5 verify (all)")
    parser.add_argument("--cores", default=str(os.cpu_count()), help="(all)")
    parser.add_argument(
        "--alone", action="store_true", help="a new process for each job, not a child of one"
    )
    parser.add_argument("--run-modules", action="store_true", help="as for cr5 verify")
    given = parser.parse_args()
    choice = config_files.read(given.results / "config.yaml")["processor"]
    verify = ["-m", "cr5", "verify", str(given.results), "--again", given.again]
    verify += ["--run-modules"] if given.run_modules else []
    workflow = Path(cr5.__file__).parents[1]
    with started(workflow, choice, given.cpu, given.kernels, given.alone) as (python, environment):
        command = [*python, *verify, "--cores", given.cores]
        sys.exit(subprocess.run(command, env=environment).returncode)


@contextmanager
def started(
    workflow: Path,
    choice: processor.Choice = "common",
    cpu: str | None = None,
    kernels: str | None = None,
    alone: bool = False,
    older_loops: bool = False,
) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Let jobs run on another processor.

    Args:
        workflow: folder with the package and the rules.
        choice: the configured one.
        cpu: that qemu shows to the jobs; None for this one.
        kernels: for which OpenBLAS computes, whatever is chosen.
        alone: a new process for each job.
        older_loops: let NumPy do without those for AVX2 here too, as it does under qemu.

    Yields:
        The Python whose snakemake leaves its scripts to that processor, and the environment.
    """
    with tempfile.TemporaryDirectory(prefix="another-processor-") as folder:
        place = Path(folder)
        environment = environment_of(workflow, kernels)
        environment["NUMBA_CACHE_DIR"] = f"{place}/compiled"  # nothing that was compiled before
        there = dict(environment)
        processor.limit(choice, there)
        if cpu or older_loops:
            there[processor.NUMPY] = f"{there.get(processor.NUMPY, '')} {UNUSED}"
        with jobs_by(interpreter_of(cpu), alone, place, there) as job:
            python = stand_in(place, job)
            environment["PATH"] = f"{place}/bin{os.pathsep}{environment['PATH']}"
            yield python, environment


def environment_of(workflow: Path, kernels: str | None) -> dict[str, str]:
    """What a run is started in."""
    paths = [str(workflow), *sysconfig.get_paths()["purelib"].split(os.pathsep)]
    named = {processor.BLAS: kernels} if kernels else {}
    return {**os.environ, **named, "PYTHONPATH": os.pathsep.join(paths)}


def interpreter_of(cpu: str | None) -> list[str]:
    """The command that is Python on that processor."""
    if cpu is None:
        return [sys.executable]
    if shutil.which(QEMU) is None:
        sys.exit(f"{QEMU} is not installed: apt-get install qemu-user")
    return [QEMU, "-cpu", cpu, str(Path(sys.executable).resolve())]


@contextmanager
def jobs_by(
    interpreter: Sequence[str], alone: bool, place: Path, environment: dict[str, str]
) -> Iterator[list[str]]:
    """The command that runs a script on that processor."""
    if alone:
        unused = f"{processor.NUMPY}={environment.get(processor.NUMPY, '')}"
        yield ["env", f"'{unused}'", *interpreter]
        return
    socket = f"{place}/jobs"
    serve = [*interpreter, str(FORKED), "serve", socket]
    there = environment | ONE_THREAD
    with subprocess.Popen(serve, env=there, stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout.readline() != "ready\n":
                sys.exit(f"{' '.join(interpreter)} does not start: status {server.wait()}")
            yield [sys.executable, "-IS", str(FORKED), "ask", socket]
        finally:
            server.kill()


def stand_in(place: Path, job: Sequence[str]) -> list[str]:
    """Put a `python` for jobs into a folder; returns the Python that leaves jobs to it.

    Snakemake starts scripts by the path of its own interpreter, and by `python` where that path
    has a space.
    """
    program = place / "bin" / "python"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {" ".join(job)} "$@"\n')
    program.chmod(0o755)
    linked = place / "an environment"
    linked.mkdir()
    for path in Path(sys.prefix).iterdir():
        (linked / path.name).symlink_to(path)
    return [str(linked / Path(sys.executable).relative_to(sys.prefix))]


if __name__ == "__main__":
    main()
