"""Put first on the path of a run's processes: in one job, once, something fails from inside.

CR5_FAULT has as JSON: the job's script; what is done; at which opening of a file below the results,
counted from 1, for writing or reading; and a file that says it was done. See `inside.py`.
"""

import errno
import json
import os
import resource
import signal
import sys
from pathlib import Path

WRITES = os.O_WRONLY | os.O_RDWR


def _raise(number):
    def fail(path):
        raise OSError(number, os.strerror(number), path)

    return fail


def _no_memory(path):
    raise MemoryError


def _memory_is_used_up(path):
    """No page more than this process has now."""
    resource.setrlimit(resource.RLIMIT_AS, (0, 0))


def _files_are_short(path):
    """As on file systems with a limit on the size of a file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))


def _signalled(number):
    return lambda path: os.kill(os.getpid(), number)


DONE = {
    "ENOSPC": _raise(errno.ENOSPC),
    "EDQUOT": _raise(errno.EDQUOT),
    "EIO": _raise(errno.EIO),
    "EACCES": _raise(errno.EACCES),
    "EMFILE": _raise(errno.EMFILE),
    "ESTALE": _raise(errno.ESTALE),
    "MemoryError": _no_memory,
    "address space": _memory_is_used_up,
    "file size": _files_are_short,
    "SIGKILL": _signalled(signal.SIGKILL),
    "SIGXCPU": _signalled(signal.SIGXCPU),
    "SIGTERM": _signalled(signal.SIGTERM),
}


def _arm(told):
    left = [told["number"]]

    def look(event, given):
        if event != "open" or not left[0]:
            return
        path, flags = given[0], given[2] or 0
        if not isinstance(path, str) or "results/" not in path or "/logs/" in path:
            return
        if bool(flags & WRITES) != told["writing"]:
            return
        left[0] -= 1
        if not left[0]:
            os.close(os.open(told["done"], os.O_CREAT | os.O_WRONLY))
            DONE[told["what"]](path)

    sys.addaudithook(look)


def _is_meant(told):
    script = f".{told['job']}.py"
    return any(word.endswith(script) for word in sys.orig_argv) and not Path(told["done"]).exists()


if "CR5_FAULT" in os.environ and _is_meant(json.loads(os.environ["CR5_FAULT"])):
    _arm(json.loads(os.environ["CR5_FAULT"]))
