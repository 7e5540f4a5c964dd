"""A small run whose fits go wrong where a file asks for it, and what it comes to if none does."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.tiny_run import Run

FAULTY = '''"""Untranslated; before that, what a file in the folder `faults` asks for."""

import time
from pathlib import Path

import numpy as np

from cr5.fitting.fit import fit as fit_system
from cr5.systems import lexical_overlap

OPTIONS = {"fault": ""}


def fit(training, options):
    fault = Path("faults", options["fault"])
    if fault.name == "memory" and fault.exists():
        held = np.ones(1200 * 2**20 // 8)
        time.sleep(10 if held.any() else 0)
    elif fault.name and fault.exists():
        fault.unlink()  # once
        if fault.name == "error":
            raise RuntimeError("out of luck")
        time.sleep(600)
    return fit_system(lexical_overlap, training, {})
'''
SYSTEMS = {"memory": "greedy", "time": "slow", "sleep": "sleeper", "error": "unlucky"}
CHANGES = {
    "languages": ["aa", "bb"],
    "systems": {
        system: {"module": "faulty.py", "fault": fault} for fault, system in SYSTEMS.items()
    },
    "settings": {"joint": {}},
    "evaluation": {"measures": ["cosine"]},
    "threads": {},
    "memory_mb": 1000,
    "minutes": 10,
}
TABLES = [f"results/tiny/tables/{name}" for name in ("table1.md", "systems.tex", "scores.csv")]
PATIENCE = 600  # seconds, on a busy machine


class Cluster(Run):
    """The run by a profile, in the background; no main process is left behind."""

    process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.kill()

    def __init__(self, folder, documents, profile, environment, *options):
        super().__init__(folder, documents, **CHANGES)
        (folder / "faulty.py").write_text(FAULTY)
        (folder / "faults").mkdir()
        self.log = folder / "printed.txt"
        self.environment = {**os.environ, **environment}
        self.options = ["--profile", f"workflow/profiles/{profile}", "--cores", "2", *options]

    def ask_for(self, *faults):
        for fault in faults:
            (self.folder / "faults" / fault).touch()

    def happened(self, fault):
        wait(lambda: not (self.folder / "faults" / fault).exists(), fault, self)

    def start(self, *arguments):
        named = ("--snakefile", "workflow/Snakefile", "--configfile", "tiny.yaml")
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "snakemake", *arguments, *named, *self.options],
                cwd=self.folder,
                env=self.environment,
                stdout=log,
                stderr=log,
                preexec_fn=interruptible,
            )

    def kill(self):
        self.process.kill()
        self.process.wait()

    def finish(self, *arguments):
        if arguments:
            self.start(*arguments)
        assert self.process.wait(PATIENCE) == 0, self.printed()[-6000:]

    def printed(self):
        return self.log.read_text()


def interruptible():
    """Python is not where it was started in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait(is_so, what, cluster=None):
    """Wait until something is so, as long as a run goes on."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        ended = cluster and cluster.process.poll() is not None
        said = cluster.printed()[-6000:] if cluster else ""
        assert not ended and time.monotonic() < end, f"waited for {what}\n{said}"
        time.sleep(0.2)


def contents(run):
    """By path the bytes of all results but those that hold times."""
    measured = {Path("manifest.json"), Path(".lock")}
    return {
        path: (run.results / path).read_bytes()
        for path in run.files()
        if path.parts[0] not in ("logs", "benchmarks") and path not in measured
    }


def differing(run, made_here):
    found = contents(run)
    return {path for path in found.keys() | made_here if found.get(path) != made_here.get(path)}
