"""A run of the workflow on the small corpus of the tests, in a folder and processes of its own."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]

TOY_SYSTEM = '''"""A user's own linear system: a random vector for each string, in any language."""

import os
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
    about = {"dimension": options["dimension"], "kind": os.environ.get("OPENBLAS_CORETYPE")}
    return Fit(Toy(**vars(training.model(tables))), about)
'''


def snakemake(*arguments, check=True, folder=ROOT, **environment):
    """Run snakemake as ./run does; returns the finished process, both outputs in `stdout`."""
    profile = ("--workflow-profile", "workflow/profiles/default")
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *profile, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert not check or done.returncode == 0, done.stdout[-6000:]
    return done


def configuration(**changes):
    """Everything that the workflow can do, small; all paths relative to the run's folder."""
    small = {"epochs": 1, "samples": 640, "hidden": 16, "frequent_words": 200}
    return {
        "corpus": {"name": "tiny", "source": "files", "path": "corpus/{language}.jsonl.xz"},
        "languages": ["aa", "bb", "cc", "dd"],
        "bags": {"unique_words": [5, 1000]},
        "vectors": {"algorithm": "word2vec", "dimension": 10, "epochs": 1, "min_count": 1},
        "systems": {
            "cr5": {"rank": 10, "ridges": [0.1, 1.0]},
            "advrefine": {**small, "rounds": 1},
            "procrustes_identical": {"module": "procrustes", "seeds": "identical", "rounds": 1},
            "lexical_overlap": {},
            "toy": {"module": "toy_system.py", "dimension": 20},
        },
        "settings": {"joint": {}, "pairwise": {"pairs": ["bb-aa"], "systems": ["cr5"]}},
        "evaluation": {"run_depth": 30},
        "threads": {"fit": 2, "rank": 2},
        **changes,
    }


class Run:
    """A folder with a copy of the workflow, the small corpus and a configuration for it."""

    def __init__(self, folder, documents=None, **changes):
        self.folder = folder
        self.workflow = folder / "workflow"
        self.results = folder / "results" / "tiny"
        if documents:
            self.prepare(documents, **changes)

    def prepare(self, documents, **changes):
        """Write what a run starts from: `documents` is the folder of the corpus."""
        folder = self.folder
        copy_workflow(folder)
        shutil.copytree(documents, folder / "corpus")
        (folder / "toy_system.py").write_text(TOY_SYSTEM)
        (folder / "tiny.yaml").write_text(yaml.safe_dump(configuration(**changes)))

    def __call__(self, *arguments, **options):
        named = ("--snakefile", "workflow/Snakefile", "--configfile", "tiny.yaml")
        return snakemake(*arguments, *named, folder=self.folder, **options)

    def default(self, *arguments, **options):
        """Run with the default configuration instead."""
        return snakemake(
            "--snakefile", "workflow/Snakefile", *arguments, folder=self.folder, **options
        )

    def plan(self):
        """What would be made if it were run now: paths relative to the results."""
        planned = re.findall(r"^ +output: (.+)$", self("--dry-run").stdout, re.MULTILINE)
        paths = (path for line in planned for path in line.split(", "))
        return {Path(path).relative_to(self.results.relative_to(self.folder)) for path in paths}

    def files(self, part=""):
        """Paths of all files of a part of the results, relative to it."""
        root = self.results / part
        return {path.relative_to(root) for path in root.rglob("*") if path.is_file()}


def copy_workflow(folder):
    skipped = shutil.ignore_patterns("__pycache__")
    for part in ("workflow", "envs", "config"):
        shutil.copytree(ROOT / part, folder / part, ignore=skipped)
