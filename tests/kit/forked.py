"""Snakemake in forks of a process that has loaded it, as loading takes half of a plan's time."""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

# The process that forks loads nothing of this package: a run takes the copy in its own folder.
SERVER = multiprocessing.get_context("forkserver")
LOADED_BY_EACH_PLAN = ["snakemake.cli", "snakemake.report.html_reporter", "smart_open", "nbformat"]
SERVER.set_forkserver_preload(LOADED_BY_EACH_PLAN)


def ended(
    module: str, arguments: list[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess:
    """Call a module's `main` in a folder, to its end; both outputs are in `stdout`.

    Nothing that Python reads when it starts can be in the environment, such as PYTHONHASHSEED.
    """
    with TemporaryDirectory() as temporary:
        output = Path(temporary) / "output"
        process = SERVER.Process(
            target=_call, args=(module, arguments, folder, dict(environment), output)
        )
        process.start()
        process.join()
        assert process.exitcode is not None
        text = output.read_text(encoding="utf-8")
    return subprocess.CompletedProcess(arguments, process.exitcode, text)


def _call(
    module: str, arguments: list[str], folder: Path, environment: dict[str, str], output: Path
) -> None:
    with output.open("wb") as file:
        os.dup2(file.fileno(), sys.stdout.fileno())
        os.dup2(file.fileno(), sys.stderr.fileno())
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    sys.path[:1] = [str(folder), str(folder / "workflow")]
    sys.argv = [module] + arguments
    import_module(module).main(arguments)
