"""A real Slurm on this machine: a controller and nodes that share its cores, ended by their ids.

    python -m tests.cluster.slurm ./run --profile workflow/profiles/slurm

starts munged, slurmctld and three slurmd from Debian's packages slurm-wlm and munge, runs the
command, such as `bash`, with sbatch and its like on the PATH, and ends with its status. All that
they write is in a temporary folder; /etc/slurm is neither read nor written, nor is a munged of the
machine's own disturbed. Nodes refuse nothing for want of cores or memory: they have what they are
said to have, which is counted by Slurm, and a job that takes more memory than it asked for is
killed within seconds.
"""

import argparse
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")
CLIENTS = ("sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo", "sacct", "sacctmgr")
SYSTEM = "/usr/sbin"  # where daemons are, which is not on everybody's PATH
PATIENCE = 30  # seconds for what takes two

CONFIGURATION = """
ClusterName=made_up
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=200000,bf_interval=1,batch_sched_delay=0,sched_interval=5
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=2
MinJobAge=3600
InactiveLimit=0
"""


def missing() -> list[str]:
    """What of Slurm is not installed here."""
    return [name for name in (*DAEMONS, *CLIENTS) if not _program(name)]


def _program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SYSTEM}")


def free_ports(number: int) -> list[int]:
    """Different ports that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@dataclass(frozen=True)
class Job:
    """What squeue knows of one."""

    id: str
    state: str
    comment: str  # of snakemake: the rule or the group, and the wildcards
    memory: str  # asked for, such as 1000M
    limit: str  # of time, such as 30:00

    @property
    def is_active(self) -> bool:
        """Whether it waits, runs, or is about to end."""
        return self.state in ("PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "SUSPENDED")


@dataclass
class Slurm:
    """A cluster of virtual nodes, as long as it is entered.

    Args:
        nodes: how many.
        cpus: of each.
        memory_mb: of each.
    """

    nodes: int = 3
    cpus: int = 2
    memory_mb: int = 4000
    started: list[subprocess.Popen] = field(default_factory=list)

    def __enter__(self) -> "Slurm":
        """Start everything.

        Raises:
            RuntimeError: with the end of the logs, where a daemon ended or no node came up.
        """
        # Not below pytest's folder: the path of a socket has at most 107 letters.
        self.folder = Path(tempfile.mkdtemp(prefix="slurm-"))
        self.folder.chmod(0o755)  # munge wants it
        try:
            self._configure()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        """End jobs, then daemons, each by its id."""
        if self._is_up():
            self.call("scancel", "--user", str(os.getuid()), "--full")
            self._wait(lambda: not self.call("squeue", "--noheader"), "jobs to end", quiet=True)
        for process in reversed(self.started):
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.started.clear()
        for pid in self._left():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _left(self) -> Iterator[int]:
        """Processes of jobs that Slurm lost sight of, as their parents had ended before them."""
        for path in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):  # it has ended by now, or is another user's
                variables = path.read_bytes()
                if b"SLURM_JOB_ID=" in variables and f"{self.folder}/".encode() in variables:
                    yield int(path.parent.name)

    @property
    def environment(self) -> dict[str, str]:
        """Where commands of Slurm find this cluster, in whichever process they are called.

        Commands of ours stand first on the PATH, since snakemake's plugin takes all variables
        SLURM_* out of a job's environment, and with them SLURM_CONF.
        """
        return os.environ | {"PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def call(self, *command: str) -> str:
        """Run a command of Slurm; return what it printed."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        return done.stdout.strip()

    def jobs(self) -> list["Job"]:
        """All jobs so far, in the order of their ids."""
        asked = ("--states=all", "--noheader", "--sort=i", "--format=%i|%T|%k|%m|%l")
        lines = self.call("squeue", *asked).splitlines()
        return [Job(*line.split("|")) for line in lines]

    def active(self) -> list["Job"]:
        """Those that wait, run or are about to end."""
        return [job for job in self.jobs() if job.is_active]

    def _configure(self) -> None:
        ports = free_ports(1 + self.nodes)
        host = socket.gethostname().partition(".")[0]
        text = CONFIGURATION.format(
            folder=self.folder, host=host, user=pwd.getpwuid(os.getuid()).pw_name, ports=ports
        )
        names = [f"node{k}" for k in range(1, 1 + self.nodes)]
        for name, port in zip(names, ports[1:], strict=True):
            text += (
                f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port}"
                f" CPUs={self.cpus} RealMemory={self.memory_mb} State=UNKNOWN\n"
            )
        text += f"PartitionName=all Nodes={','.join(names)} Default=YES State=UP\n"
        self.names = names
        (self.folder / "slurm.conf").write_text(text)
        (self.folder / "state").mkdir()
        (self.folder / "bin").mkdir()
        for name in CLIENTS:
            path = self.folder / "bin" / name
            conf = f"SLURM_CONF={self.folder}/slurm.conf"
            path.write_text(f'#!/bin/sh\n{conf} exec {_program(name)} "$@"\n')
            path.chmod(0o755)

    def _start(self) -> None:
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        places = {"socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        paths = [f"--{option}={self.folder}/munge.{end}" for option, end in places.items()]
        self._run("munged", "--foreground", "--force", f"--key-file={key}", *paths)
        self._wait((self.folder / "munge.socket").exists, "munged's socket")
        configuration = ("-D", "-f", str(self.folder / "slurm.conf"))
        self._run("slurmctld", *configuration, "-i")
        self._wait(self._is_up, "slurmctld")
        for name in self.names:
            self._run("slurmd", *configuration, "-N", name)
        idle = ("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N")
        self._wait(lambda: self.call(*idle).split() == self.names, "all nodes")

    def _run(self, name: str, *arguments: str) -> None:
        with (self.folder / "daemons.log").open("a") as log:
            self.started.append(
                subprocess.Popen(
                    [_program(name), *arguments], stdout=log, stderr=log, stdin=subprocess.DEVNULL
                )
            )

    def _is_up(self) -> bool:
        return len(self.started) > 1 and "UP" in self.call("scontrol", "ping")

    def _wait(self, is_so, what: str, quiet: bool = False) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            ended = any(process.poll() is not None for process in self.started)
            if quiet and (ended or time.monotonic() > end):
                return
            if ended or time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {what}:\n{self._logs()}")
            time.sleep(0.1)

    def _logs(self) -> str:
        return "\n".join(
            f"{path.name}: {path.read_text(errors='replace')[-1500:]}"
            for path in sorted(self.folder.glob("*.log"))
        )


def main(arguments: Sequence[str]) -> int:
    """Run a command on a cluster of its own; return its status."""
    parser = argparse.ArgumentParser(prog="slurm", description=__doc__.split("\n")[0])
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--cpus", type=int, default=2, help="of a node")
    parser.add_argument("--memory-mb", type=int, default=4000, help="of a node")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    chosen = parser.parse_args(arguments)
    if missing():
        sys.exit(f"not installed: {', '.join(missing())} (Debian: apt install slurm-wlm munge)")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # ends all the same
    with Slurm(chosen.nodes, chosen.cpus, chosen.memory_mb) as slurm:
        done = subprocess.run(chosen.command or ["sinfo"], env=slurm.environment)
        states = [job.state for job in slurm.jobs()]
        counted = ", ".join(f"{states.count(x)} {x}" for x in sorted(set(states)))
        print(f"slurm: {len(states)} jobs: {counted}", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
