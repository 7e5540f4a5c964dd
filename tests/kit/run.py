"""Runs of the workflow in a folder of their own: started, killed, resumed, compared.

`everything` is a small configuration on the kit's corpus that uses all kinds of settings and tasks.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import yaml

from tests.kit.corpus import LANGUAGES, give

ROOT = Path(__file__).parents[2]
COPIED = ("workflow", "envs", "config")
PROFILE = ("--workflow-profile", "workflow/profiles/default")
NOT_OF_THE_JOBS = {".snakemake_timestamp"}

OWN_SYSTEM = '''"""A system of one's own: a random vector for each string, in any language."""

import zlib
from dataclasses import dataclass

import numpy as np

from cr5.fitting.contract import Fit
from cr5.models.word_tables import WordTables

OPTIONS = {"dimension": 8}


@dataclass(frozen=True)
class Toy(WordTables):
    """A class of models of one's own."""


def fit(training, options):
    """Give equal strings equal vectors."""

    def vector(word):
        return np.random.default_rng(zlib.crc32(word.encode())).normal(size=options["dimension"])

    tables = {x: np.array([vector(w) for w in words]) for x, words in training.words.items()}
    return Fit(Toy(**vars(training.model(tables))), {"dimension": options["dimension"]})
'''

CR5_ALONE = {"systems": ["cr5"], "tasks": ["documents"]}


def everything() -> dict:
    """All kinds of settings and tasks; a system that the data do not allow, one of one's own."""
    searched = {
        "documents": "given/{language}.judged.jsonl",
        "queries": "given/{language}.questions.tsv",
        "qrels": "given/qrels",
    }
    return {
        "corpus": {"name": "tiny", "source": "files", "path": "given/{language}.jsonl.xz"},
        "languages": list(LANGUAGES),
        "bags": {"unique_words": [5, 1000]},
        "splits": {"max_share": {"test": 0.2, "validation": 0.1, "candidates": 0.2}},
        "vectors": {"algorithm": "word2vec", "dimension": 10, "epochs": 1, "min_count": 1},
        "dictionary": {"dictionaries": "given/{source}-{target}.dict", "limit": 60},
        "alignments": {"path": "given/{source}-{target}.tsv"},
        "systems": {
            "cr5": {"rank": 10, "ridges": [0.1, 1.0]},
            "procrustes": {"rounds": 0},
            "bm25_translated": {},
            "lexical_overlap": {},
            "nothing_shared": {"module": "procrustes", "seeds": "identical", "min_length": 30},
            "toy": {"module": "toy_system.py", "dimension": 20},
        },
        "tasks": {
            "documents": {},
            "sentences": {"path": "given/{language}.txt", "queries": 30},
            "lexicon_induction": {
                "dictionaries": "given/{source}-{target}.dict",
                "offset": 60,
                "limit": 60,
            },
            "search": {"module": "ad_hoc", **searched},
        },
        "settings": {
            "joint": {"tasks": ["documents"]},
            "other_tasks": {
                "kind": "pairwise",
                "pairs": ["da-en"],
                "systems": ["cr5"],
                "tasks": ["sentences", "lexicon_induction", "search"],
            },
            "low_resource": {"pairs": ["da-it"], "concepts": [20], **CR5_ALONE},
            "transitive": {"pairs": ["da-it"], "via": ["en"], "shared": "split", **CR5_ALONE},
        },
        "evaluation": {"run_depth": 30},
        "threads": {"fit": 2, "rank": 2},
    }


class Run:
    """A folder with a copy of the workflow, texts in given/ and a configuration, run.yaml."""

    def __init__(self, folder: Path, configuration: dict | None = None):
        self.folder = folder
        if configuration is not None:
            self.prepare(configuration)

    def prepare(self, configuration: dict) -> None:
        """Write what a run starts from."""
        skipped = shutil.ignore_patterns("__pycache__")
        for part in COPIED:
            shutil.copytree(ROOT / part, self.folder / part, ignore=skipped)
        give(self.folder / "given")
        (self.folder / "toy_system.py").write_text(OWN_SYSTEM)
        self.configure(configuration)

    def configure(self, configuration: dict) -> None:
        """Write another configuration, which the next call goes by."""
        (self.folder / "run.yaml").write_text(yaml.safe_dump(configuration, sort_keys=False))

    @property
    def configuration(self) -> dict:
        """What run.yaml says."""
        return yaml.safe_load((self.folder / "run.yaml").read_text())

    @property
    def results(self) -> Path:
        """The folder of the results."""
        return self.folder / "results" / self.configuration["corpus"]["name"]

    def command(self, *arguments: str) -> list[str]:
        """What starts it."""
        cores = [] if "--cores" in arguments else ["--cores", "2"]
        named = ["--snakefile", "workflow/Snakefile", "--configfile", "run.yaml"]
        return [sys.executable, "-m", "snakemake", *cores, *PROFILE, *arguments, *named]

    def __call__(self, *arguments: str, check: bool = True, **environment: str):
        """Run to the end; both outputs are in `stdout` of what it returns."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert not check or done.returncode == 0, done.stdout[-6000:]
        return done

    def cr5(self, *arguments: str, check: bool = True):
        """Run the command `cr5` in this folder, with this folder's package."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder / "workflow")}
        command = [sys.executable, "-P", "-m", "cr5", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True
        )
        assert not check or done.returncode == 0, done.stderr[-3000:]
        return done

    def killed_when(self, pattern: str, *arguments: str) -> "Run":
        """Start it, and end it with SIGKILL, children too, once a path of the results is there."""
        process = subprocess.Popen(
            self.command(*arguments),
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while not list(self.results.glob(pattern)):
            assert process.poll() is None, "it ended before"
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return self

    def planned(self, *arguments: str) -> list[str]:
        """The outputs that would be made if it were run now."""
        lines = re.findall(r"^ +output: (.+)$", self("--dry-run", *arguments).stdout, re.MULTILINE)
        return [path for line in lines for path in line.split(", ")]

    def files(self, part: str = "") -> list[Path]:
        """All files of a part of the results, relative to these, in order."""
        found = (path for path in (self.results / part).rglob("*") if path.is_file())
        return sorted(x.relative_to(self.results) for x in found if x.name not in NOT_OF_THE_JOBS)

    def checksums(self, *parts: str) -> dict[str, str]:
        """SHA-256 of all files of these parts of the results."""
        every = [path for part in parts or ("",) for path in self.files(part)]
        return {str(x): hashlib.sha256((self.results / x).read_bytes()).hexdigest() for x in every}

    def copied(self, folder: Path) -> "Run":
        """The same folder elsewhere, with its times, by which snakemake goes."""
        subprocess.run(["cp", "-a", self.folder, folder], check=True)
        return Run(folder)
