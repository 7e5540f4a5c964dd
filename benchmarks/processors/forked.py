"""Runs scripts in children of one process that has loaded what scripts load.

To load the libraries takes a second, and twenty under an emulator; a child has them from the start.
`serve` is that process. `ask`, in place of `python`, has it run a script: a child takes over the
folder, the environment and the outputs of who asks, and gives back the script's status.
"""

import array
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import traceback
from pathlib import Path

LIBRARIES = (
    *("gensim.models", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg"),
    *("matplotlib.backends.backend_pdf", "numba", "pandas", "pyarrow.compute", "pyarrow.parquet"),
    *("requests", "scipy.linalg", "scipy.sparse.csgraph", "scipy.spatial.distance"),
    *("scipy.sparse.linalg", "scipy.stats", "snakemake.iocontainers", "snakemake.logging"),
)
# What libraries read where they are loaded: a child cannot be told otherwise.
READ_ONCE = ("OPENBLAS_CORETYPE", "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")
THREADS = "OPENBLAS_NUM_THREADS"


def serve(path: str) -> None:
    """Load everything, listen at the path of a socket, say so, and run scripts until killed."""
    load()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            if not os.fork():
                listening.close()
                answer(connection)
                os._exit(0)
            connection.close()


def load() -> None:
    """Import the libraries, and the whole package but what serves programs that are not there."""
    import cr5

    modules = pkgutil.walk_packages(cr5.__path__, "cr5.")
    for name in (*LIBRARIES, *(each.name for each in modules if each.name != "cr5.__main__")):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name in {*LIBRARIES, "cr5"} or name in LIBRARIES:
                raise


def answer(connection: socket.socket) -> None:
    """Run what is asked for in a child, and tell its status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request, outputs = received(connection)
    child = os.fork()
    if not child:
        os._exit(run(request, outputs))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    connection.sendall(json.dumps(status).encode())


def received(connection: socket.socket) -> tuple[dict, list[int]]:
    """What is asked for, and the outputs of who asks."""
    outputs = array.array("i", [0, 0])
    size = socket.CMSG_LEN(len(outputs) * outputs.itemsize)
    content, [(_, _, given)], *_ = connection.recvmsg(2**16, size)
    outputs.frombytes(given)
    while not content.endswith(b"\n"):
        content += connection.recv(2**16)
    return json.loads(content), list(outputs[2:])


def run(request: dict, outputs: list[int]) -> int:
    """Be the process that was asked for; returns its status."""
    for number, output in enumerate(outputs, start=1):
        os.dup2(output, number)
    environment = request["environment"]
    for name in READ_ONCE:
        if environment.get(name) != os.environ.get(name):
            print(f"{name} is {environment.get(name)} here, loaded with {os.environ.get(name)}")
            return 1
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = request["arguments"]
    sys.path.insert(0, str(Path(sys.argv[0]).parent))
    return status_of(sys.argv[0], int(environment.get(THREADS, 1)))


def status_of(script: str, threads: int) -> int:
    """Run a script with so many threads of BLAS."""
    from threadpoolctl import threadpool_limits

    try:
        with threadpool_limits(threads):
            runpy.run_path(script, run_name="__main__")
        return 0
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()


def ask(path: str, arguments: list[str]) -> int:
    """Have a script run by who listens at the path; returns its status."""
    request = {"arguments": arguments, "folder": str(Path.cwd()), "environment": dict(os.environ)}
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        outputs = array.array("i", [1, 2])
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, outputs)]
        content = json.dumps(request).encode() + b"\n"
        sent = connection.sendmsg([content], rights)
        connection.sendall(content[sent:])
        found = connection.recv(100)
    return json.loads(found) if found else 1


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        sys.exit(ask(sys.argv[2], sys.argv[3:]))
