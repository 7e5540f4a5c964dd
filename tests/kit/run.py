"""Runs of the workflow in a folder of their own: started, killed, resumed, compared.

`everything` is a small configuration on the kit's corpus that uses all kinds of settings and tasks.
"""

import hashlib
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import pandas as pd
import yaml
from snakemake.utils import update_config

from tests.kit import forked
from tests.kit.corpus import CORPUS, LANGUAGES, give

ROOT = Path(__file__).parents[2]
ALIGNER = Path(__file__).parent / "aligner.py"
OWN_SYSTEM = ROOT / "tests" / "systems" / "example_network.py"  # with a model of its own
SNAKEMAKE = [sys.executable, "-m", "snakemake"]
PROFILE = ("--workflow-profile", "workflow/profiles/default")
# Rows of scores: means over repetitions, of each direction or over all of them.
EACH = "query != 'all' and repetition == 'mean'"
MEANS = "query == 'all' and repetition == 'mean'"
KEYS = ["setting", "system", "task", "query", "target", "similarity", "metric"]

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
            "nothing_shared": {"module": "procrustes", "seeds": "numerals"},
            "encoder": {"path": "given/encoder"},
            "network": {"module": "network.py", "hidden": [64]},
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
            "classes": {
                "module": "classification",
                "path": "given/{language}.{part}.jsonl",
                "parts": {"labelled": "labelled", "validation": "", "test": "labelled"},
                "id": "id",
                "label": "label",
                "labelled": ["en"],
            },
        },
        "settings": {
            "joint": {"tasks": ["documents"]},
            "other_tasks": {
                "kind": "pairwise",
                "pairs": ["da-en"],
                "systems": ["procrustes"],
                "tasks": ["sentences", "lexicon_induction", "search", "classes"],
            },
            "low_resource": {"pairs": ["da-it"], "concepts": [20, 40], **CR5_ALONE},
            "transitive": {"pairs": ["da-it"], "via": ["en"], "shared": "split", **CR5_ALONE},
        },
        "evaluation": {"run_depth": 200},
        "threads": {"fit": 2, "rank": 2},
    }


def small(folder: Path, **changes: object) -> "Run":
    """Prepare a run of `.test`; keywords replace keys of its configuration."""
    shutil.copytree(ROOT / ".test" / "data", folder / "corpus")
    corpus = {"name": "tiny", "source": "files", "path": "corpus/{language}.jsonl.xz"}
    configuration = merged(ROOT / ".test" / "config" / "config.yaml")
    return Run(folder, configuration | {"corpus": corpus, "settings": {"joint": {}}} | changes)


def merged(*paths: Path) -> dict:
    """Merge configuration files as snakemake does."""
    configuration: dict = {}
    for path in paths:
        update_config(configuration, yaml.safe_load(path.read_text(encoding="utf-8")))
    return configuration


def give_all(folder: Path) -> None:
    """Write all that `everything` reads: the corpus, an encoder, a system."""
    from tests.tiny_encoders import write_static

    given_files = give(folder / "given")
    vectors = {}
    for language in LANGUAGES:
        rows = CORPUS.vectors[language]
        vectors.update(zip(CORPUS.words[language], rows, strict=True))
    write_static(given_files / "encoder", vectors)
    shutil.copy(OWN_SYSTEM, folder / "network.py")


def ended(
    command: Sequence[str | Path], folder: Path, **environment: str
) -> subprocess.CompletedProcess:
    """Run a program in a folder to its end; both outputs are in `stdout`."""
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def path_with_aligner(folder: Path) -> str:
    """Give a folder the program of a word aligner whose links are the same on any machine."""
    program = folder.resolve() / "bin" / "eflomal"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!{sys.executable}\n{ALIGNER.read_text(encoding='utf-8')}")
    program.chmod(stat.S_IRWXU)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def scores(results: Path, rows: str = EACH) -> pd.DataFrame:
    """A run's tidy table of scores: of each direction, or rows of a condition in pandas' words."""
    path = results / "tables" / "scores.csv"  # `no` is a language
    return pd.read_csv(path, keep_default_na=False, na_values=[""]).query(rows)


class Run:
    """A folder with texts, run.yaml, and a copy of the workflow.

    What Python and Numba compile is shared; both go by the times of its sources.
    """

    def __init__(self, folder: Path, configuration: dict | None = None):
        self.folder = folder
        if configuration is not None:
            compiled = shutil.ignore_patterns("__pycache__")
            for part in ("workflow", "envs", "config"):
                shutil.copytree(ROOT / part, folder / part, ignore=compiled)
            shared = Path.home() / "compiled"  # the tests' own, see conftest
            for path in shared.rglob("__pycache__"):
                (folder / path.relative_to(shared)).symlink_to(path)
            self.configure(configuration)

    def configure(self, configuration: dict) -> None:
        """Write another configuration, which the next call goes by."""
        (self.folder / "run.yaml").write_text(yaml.safe_dump(configuration, sort_keys=False))
        self.__dict__.pop("results", None)

    @property
    def configuration(self) -> dict:
        """What run.yaml says."""
        return yaml.safe_load((self.folder / "run.yaml").read_text())

    @cached_property
    def results(self) -> Path:
        """The folder of the results."""
        return self.folder / "results" / self.configuration["corpus"]["name"]

    def arguments(self, *arguments: str | Path, name: str = "run.yaml") -> list[str]:
        """What snakemake is told; another configuration file may be named, or none."""
        told = list(PROFILE) + [str(argument) for argument in arguments]
        if "--cores" not in told:
            told = ["--cores", "2"] + told
        told += ["--snakefile", "workflow/Snakefile"]
        if name:
            told += ["--configfile", name]
        return told

    @property
    def environment(self) -> dict[str, str]:
        """Variables: the aligner stands first on the PATH; jobs share what they have compiled."""
        return {"PATH": path_with_aligner(self.folder), "PYTHONDONTWRITEBYTECODE": ""}

    def __call__(
        self, *arguments: str | Path, check: bool = True, name: str = "run.yaml", **environment: str
    ):
        """Run to the end; both outputs are in `stdout` of what it returns."""
        told = self.arguments(*arguments, name=name)
        done = forked.ended("snakemake.cli", told, self.folder, self._surroundings(environment))
        assert not check or done.returncode == 0, done.stdout[-6000:]
        return done

    def _surroundings(self, changed: Mapping[str, str]) -> dict[str, str]:
        return {**os.environ, **self.environment, **changed}

    def alone(self, *arguments: str, **environment: str) -> None:
        """Run to the end in a process of its own, which reads the environment when it starts."""
        command = SNAKEMAKE + self.arguments(*arguments)
        done = ended(command, self.folder, **self.environment | environment)
        assert done.returncode == 0, done.stdout[-6000:]

    def python(self, *arguments: str | Path, check: bool = True, **environment: str):
        """Run Python in this folder, with this folder's package, on 80 columns."""
        python = {"PYTHONPATH": str(self.folder / "workflow"), "COLUMNS": "80"}
        command = [sys.executable, "-P", *arguments]
        done = ended(command, self.folder, **self.environment | python | environment)
        assert not check or done.returncode == 0, done.stdout[-3000:]
        return done

    def cr5(self, *arguments: str, check: bool = True, **environment: str):
        """Run the command `cr5`."""
        return self.python("-m", "cr5", *arguments, check=check, **environment)

    def started(self, *arguments: str, name: str = "run.yaml", **environment: str):
        """Start it as ./run does, whether or not it succeeds."""
        told = ["--logger=cr5", "--cores", "2", *PROFILE, *arguments, "--configfile", name]
        surroundings = self._surroundings({"COLUMNS": "80", **environment})
        return forked.ended("cr5.plan.start", told, self.folder, surroundings)

    def killed_when(self, pattern: str, *arguments: str) -> "Run":
        """Start it, and end it with SIGKILL, children too, once a path of the results is there."""
        process = subprocess.Popen(
            SNAKEMAKE + self.arguments(*arguments),
            cwd=self.folder,
            env={**os.environ, **self.environment},
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
        return ", ".join(lines).split(", ") if lines else []

    def files(self, part: str = "") -> list[Path]:
        """All files of a part of the results, relative to these, in order."""
        paths = [path for path in (self.results / part).rglob("*") if path.is_file()]
        results = [path for path in paths if path.name != ".snakemake_timestamp"]
        return sorted(path.relative_to(self.results) for path in results)

    def checksums(self, *parts: str) -> dict[str, str]:
        """SHA-256 of all files of these parts of the results."""
        digests = {}
        for part in parts or ("",):
            for path in self.files(part):
                content = (self.results / path).read_bytes()
                digests[str(path)] = hashlib.sha256(content).hexdigest()
        return digests

    def copied(self, folder: Path) -> "Run":
        """The same folder elsewhere, with its times, by which snakemake goes."""
        subprocess.run(["cp", "-a", self.folder, folder], check=True)
        return Run(folder)
