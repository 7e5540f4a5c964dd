"""A scheduler for tests: jobs are processes in the background of this machine.

    python background.py FOLDER submit MEMORY MINUTES SCRIPT    prints an id
    python background.py FOLDER status ID                       running, success or failed
    python background.py FOLDER cancel ID...

FOLDER keeps of each job its process (ID.pid), what it asked for, and how it ended.
"""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

# The shell waits for the script, writes down how it ended, and is the leader of its session.
KEEPER = 'sh "$1" >"$2.log" 2>&1; echo $? >"$2.part"; mv "$2.part" "$2.ended"'


def submit(folder, memory, minutes, script):
    """Start a job script; return its id."""
    job = f"{len([*folder.glob('*.json')]) + 1}"
    command = ["sh", "-c", KEEPER, "keeper", script, str(folder / job)]
    process = subprocess.Popen(
        command, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    (folder / f"{job}.pid").write_text(f"{process.pid}\n")
    about = {"pid": process.pid, "memory": memory, "minutes": minutes, "name": named(script)}
    (folder / f"{job}.new").write_text(json.dumps(about))
    (folder / f"{job}.new").rename(folder / f"{job}.json")  # whole, whoever looks
    return job


def named(script):
    """The rule or group of a job script, and its wildcards, by snakemake's own line on it."""
    line = next(x for x in Path(script).read_text().splitlines() if x.startswith("# properties"))
    about = json.loads(line.partition("=")[2])
    name = about.get("rule") or about["groupid"]
    return "_".join([name, *map(str, about.get("wildcards", {}).values())])


def status(folder, job):
    """Say how a job is; it failed where its process is gone and left no word."""
    ended = folder / f"{job}.ended"
    if not ended.exists():
        pid = json.loads((folder / f"{job}.json").read_text())["pid"]
        if is_alive(pid):
            return "running"
    return "success" if ended.exists() and ended.read_text().strip() == "0" else "failed"


def is_alive(pid):
    """Whether a process is there, and no zombie."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def cancel(folder, *jobs):
    """Kill the sessions of jobs; of none that is gone, whose number another one may have."""
    for job in jobs:
        with suppress(ProcessLookupError):
            if status(folder, job) != "running":
                continue
            os.killpg(json.loads((folder / f"{job}.json").read_text())["pid"], signal.SIGKILL)


if __name__ == "__main__":
    place, command, *arguments = sys.argv[1:]
    done = {"submit": submit, "status": status, "cancel": cancel}[command](Path(place), *arguments)
    print(done or "", end="\n" if done else "")
