"""The run that faults are done to: small, with every kind of artefact that a run makes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests import conftest as small
from tests.workflow.conftest import Run

LANGUAGES = ("aa", "bb")
CONCEPTS = 120
START = ["-m", "cr5.plan.start", "--snakefile", "workflow/Snakefile"]
START += ["--workflow-profile", "workflow/profiles/default", "--configfile", "tiny.yaml"]
CHANGES = {
    "languages": list(LANGUAGES),
    "systems": {
        "cr5": {"rank": 8, "ridges": [1.0]},
        "procrustes_identical": {"module": "procrustes", "seeds": "identical", "rounds": 1},
        "prefix_overlap": {},
    },
    "settings": {
        "joint": {"systems": ["cr5", "procrustes_identical"], "tasks": ["documents"]},
        "pair": {
            "kind": "pairwise",
            "pairs": ["aa-bb"],
            "systems": ["prefix_overlap"],
            "tasks": ["lexicon_induction", "lines"],
        },
    },
    "tasks": {
        "documents": {},
        "lexicon_induction": {"dictionaries": "given/{source}-{target}.dict"},
        "lines": {"module": "sentences", "path": "given/{language}.lines", "queries": 20},
    },
    "evaluation": {"measures": ["cosine"]},
    "threads": {"fit": 1, "rank": 1},
}
INPUTS = ("corpus", "given", "tiny.yaml", "toy_system.py")
LIMIT = 1200  # seconds for what takes half a minute: a run that hangs is a fault not survived


@dataclass(frozen=True)
class Done:
    """A process that ended: its status, less than zero for a signal, and all that it said."""

    code: int
    text: str


@dataclass(frozen=True)
class Place:
    """A folder with a copy of the workflow, a corpus and a configuration.

    Attributes:
        folder: where the workflow is started.
    """

    folder: Path

    @property
    def results(self) -> Path:
        """Where results go."""
        return self.folder / "results" / "tiny"

    @property
    def said(self) -> Path:
        """What the last process said."""
        return self.folder.with_name(f"{self.folder.name[:100]}.said")

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen:
        """Start the workflow as `./run` does, in a session of its own."""
        command = [sys.executable, *START, "--cores", "2", *arguments]
        with self.said.open("wb") as file:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                env=surroundings(self.folder, environment),
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self, process: subprocess.Popen) -> Done:
        """Wait for its end, and for that of jobs which go on without it."""
        try:
            process.wait(LIMIT)
            _until_gone(process.pid)
        finally:
            end(process.pid)
        return Done(process.wait(), self.said.read_text(encoding="utf-8", errors="replace"))

    def run(self, *arguments: str, **environment: str) -> Done:
        """Run the workflow to its end."""
        return self.wait(self.start(*arguments, **environment))

    def verify(self, again: int = 0) -> Done:
        """Compare the results with their manifest, and do some jobs again."""
        command = ["-m", "cr5", "verify", "results/tiny", "--again", str(again), "--cores", "2"]
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.folder,
            env=surroundings(self.folder, {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LIMIT,
        )
        return Done(done.returncode, done.stdout.decode(errors="replace"))

    def copy(self, folder: Path) -> "Place":
        """Copy all of it, with all times."""
        subprocess.run(["cp", "-a", str(self.folder), str(folder)], check=True)
        return Place(folder)

    def remove(self) -> None:
        """Remove all of it, a disk that is mounted there too."""
        if (self.folder / "results").is_mount():
            subprocess.run(["umount", "-l", str(self.folder / "results")], check=True)
        shutil.rmtree(self.folder)
        self.said.unlink(missing_ok=True)


def prepare(folder: Path, seed: int = 0) -> Place:
    """Write corpus, configuration, dictionary and parallel lines, and copy the workflow."""
    documents = folder.with_name(f"{folder.name[:100]}.corpus")
    documents.mkdir(parents=True)
    for language in LANGUAGES:
        found = small.articles(language, CONCEPTS, seed=seed)
        small.write_jsonl(documents / f"{language}.jsonl.xz", found)
    Run(folder, documents, **CHANGES)
    shutil.rmtree(documents)
    _give(folder / "given")
    return Place(folder)


def _give(given: Path) -> None:
    given.mkdir()
    pairs = [[small.spell(number, language) for language in LANGUAGES] for number in range(240)]
    (given / "aa-bb.dict").write_text("".join(f"{a} {b}\n" for a, b in pairs))
    for index, language in enumerate(LANGUAGES):
        lines = (" ".join(pair[index] for pair in pairs[i : i + 8]) for i in range(0, 240, 6))
        (given / f"{language}.lines").write_text("".join(f"{line}\n" for line in lines))


def surroundings(folder: Path, changes: dict[str, str]) -> dict[str, str]:
    """The environment of a run: the package is the copy's, and what is there without changes."""
    path = os.pathsep.join([*filter(None, [changes.pop("BEFORE", "")]), str(folder / "workflow")])
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", **changes}


def members(session: int) -> Iterator[int]:
    """Processes of a session, but zombies."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            yield int(stat.parent.name)


def end(session: int) -> None:
    """Kill what is left of a session, which is one that `start` began."""
    while found := list(members(session)):
        for pid in found:
            kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def kill(pid: int, number: signal.Signals) -> bool:
    """Send a signal; say whether the process was still there."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _until_gone(session: int) -> None:
    patience = time.monotonic() + LIMIT
    while any(members(session)) and time.monotonic() < patience:
        time.sleep(0.1)
