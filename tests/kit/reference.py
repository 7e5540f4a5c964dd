"""Runs of the workflow as somebody starts them: configuration files in, tables out."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import yaml

from tests.kit.run import PROFILE, ROOT, ended, path_with_aligner, scores

KEYS = ["setting", "system", "task", "query", "target", "similarity", "metric"]
MEAN = "mean"  # stands for all repetitions


def merged(*paths: Path) -> dict:
    """Merge configuration files as snakemake does: mappings key by key, all else replaced."""

    def merge(old: object, new: object) -> object:
        if isinstance(old, dict) and isinstance(new, dict):
            return old | {key: merge(old.get(key), value) for key, value in new.items()}
        return new

    found: object = {}
    for path in paths:
        found = merge(found, yaml.safe_load(path.read_text(encoding="utf-8")))
    return found


def tables(configuration: Sequence[Path], folder: Path) -> Path:
    """Return where a run in a folder has its tables."""
    config = merged(*configuration)
    return folder / config.get("results", "results") / config["corpus"]["name"] / "tables"


def run(
    configuration: Sequence[Path],
    folder: Path,
    *arguments: str,
    cores: int = 1,
    made: Sequence[str] = ("tables",),
) -> subprocess.CompletedProcess:
    """Run the workflow of this checkout in a folder, as far as the scores or other files.

    A word aligner that gives the same links on any machine stands first on the PATH, and a small
    reader of encoders on Python's.

    Args:
        configuration: files, in the order in which they are read.
        folder: that relative paths start from; it gets results/.
        arguments: of snakemake.
        cores: that it may use.
        made: the files, relative to the results of the run.

    Returns:
        The finished process, both outputs in `stdout`.
    """
    results = tables(configuration, folder).relative_to(folder).parent
    command = [sys.executable, "-m", "snakemake", *(str(results / x) for x in made), *arguments]
    command += ["--cores", str(cores), *PROFILE, "--directory", str(folder)]
    command += ["--configfile", *(str(path.resolve()) for path in configuration)]
    stand_ins = os.pathsep.join([str(ROOT / "tests/stand_ins"), os.environ.get("PYTHONPATH", "")])
    return ended(command, ROOT, PATH=path_with_aligner(folder), PYTHONPATH=stand_ins)


def figures(folder: Path) -> pd.DataFrame:
    """Read a run's scores of each direction: `KEYS`, repetition (a number, or `MEAN`) and value.

    Args:
        folder: of its tables.
    """
    return scores(folder.parent, "query != 'all'")[[*KEYS, "repetition", "value"]]
