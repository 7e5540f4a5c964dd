"""Runs the workflow on the small corpus, in processes of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]

TOY_SYSTEM = '''"""A user's own linear system: a random vector for each string, in any language."""

import zlib

import numpy as np

from cr5.training import Fit

DEFAULTS = {"dimension": 8}


def fit(training, options):
    """Give equal strings equal vectors."""

    def vector(word):
        return np.random.default_rng(zlib.crc32(word.encode())).normal(size=options["dimension"])

    tables = {x: np.array([vector(w) for w in words]) for x, words in training.words.items()}
    return Fit(tables, {"dimension": options["dimension"]})
'''


def snakemake(*arguments, check=True, folder=ROOT, **environment):
    """Run snakemake from `folder`; returns the finished process, both outputs in `stdout`."""
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert not check or done.returncode == 0, done.stdout[-6000:]
    return done


def configuration(corpus, results, toy, **changes):
    """Everything that the workflow can do, small."""
    small = {"epochs": 1, "samples": 640, "hidden": 16, "frequent_words": 200}
    return {
        "corpus": {
            "name": "tiny",
            "source": "jsonl",
            "path": str(corpus / "{language}.jsonl.xz"),
        },
        "languages": ["aa", "bb", "cc", "dd"],
        "results": str(results),
        "bags": {"unique_words": [5, 1000]},
        "vectors": {"algorithm": "word2vec", "dimension": 10, "epochs": 1, "min_count": 1},
        "systems": {
            "cr5": {"rank": 10, "ridges": [0.1, 1.0]},
            "advrefine": {**small, "rounds": 1},
            "procrustes_identical": {"rounds": 1},
            "untranslated": {},
            "toy": {"module": str(toy), "dimension": 20},
        },
        "settings": {"joint": {}, "pairwise": {"pairs": ["bb-aa"], "systems": ["cr5"]}},
        "evaluation": {"bootstrap": 50},
        **changes,
    }


class Run:
    """One run of a copy of the workflow: its configuration file, results and output."""

    def __init__(self, folder, corpus, **changes):
        self.workflow = folder / "workflow"
        skipped = shutil.ignore_patterns("__pycache__")
        for part in ("workflow", "envs"):
            shutil.copytree(ROOT / part, folder / part, ignore=skipped)
        self.toy = folder / "toy_system.py"
        self.toy.write_text(TOY_SYSTEM)
        self.config = folder / "tiny.yaml"
        self.results = folder / "results" / "tiny"
        content = configuration(corpus, folder / "results", self.toy, **changes)
        self.config.write_text(yaml.safe_dump(content))
        self.folder = folder

    def __call__(self, *arguments, **options):
        named = ("--snakefile", self.workflow / "Snakefile", "--configfile", self.config)
        return snakemake(*named, *arguments, folder=self.folder, **options)

    def logs(self):
        return [path for path in (self.results / "logs").rglob("*") if path.is_file()]


@pytest.fixture(scope="session")
def finished(corpus, tmp_path_factory):
    """A complete run."""
    run = Run(tmp_path_factory.mktemp("run"), corpus)
    run.output = run().stdout
    return run
