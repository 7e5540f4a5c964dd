"""Runs of the workflow as somebody starts them: configuration files in, tables out."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd
import yaml

from tests.kit.run import PROFILE, ROOT, ended, path_with_aligner, scores

KEYS = ["setting", "system", "task", "query", "target", "similarity", "metric"]
MEAN = "mean"  # stands for all repetitions


def merged(*parts: Path | dict) -> dict:
    """Merge configurations as snakemake does: mappings key by key, all else replaced."""

    def merge(old: object, new: object) -> object:
        if isinstance(old, dict) and isinstance(new, dict):
            return old | {key: merge(old.get(key), value) for key, value in new.items()}
        return new

    found: object = {}
    for part in parts:
        new = part if isinstance(part, dict) else yaml.safe_load(part.read_text(encoding="utf-8"))
        found = merge(found, new)
    return found


def results(config: Mapping) -> Path:
    """Return the results of a run, in its folder."""
    return Path(config.get("results", "results"), config["corpus"]["name"])


def run(
    config: Mapping,
    folder: Path,
    *arguments: str,
    cores: int = 1,
    made: Sequence[str] = ("tables",),
) -> subprocess.CompletedProcess:
    """Run the workflow of this checkout in a folder, as far as the scores or other files.

    A word aligner that gives the same links on any machine stands first on the PATH, and a small
    reader of encoders on Python's.

    Args:
        config: the configuration.
        folder: that relative paths start from; it gets the configuration and results/.
        arguments: of snakemake.
        cores: that it may use.
        made: the files, relative to the results of the run.

    Returns:
        The finished process, both outputs in `stdout`.
    """
    path = (folder / "config.yaml").resolve()
    path.write_text(yaml.safe_dump(dict(config), sort_keys=False), encoding="utf-8")
    files = (str(results(config) / x) for x in made)
    command = [sys.executable, "-m", "snakemake", *files, *arguments]
    command += ["--cores", str(cores), *PROFILE, "--directory", str(folder)]
    command += ["--configfile", str(path)]
    stand_ins = os.pathsep.join([str(ROOT / "tests/stand_ins"), os.environ.get("PYTHONPATH", "")])
    return ended(command, ROOT, PATH=path_with_aligner(folder), PYTHONPATH=stand_ins)


def figures(folder: Path) -> pd.DataFrame:
    """Read a run's scores of each direction: `KEYS`, repetition (a number, or `MEAN`) and value.

    Args:
        folder: of its tables.
    """
    return scores(folder.parent, "query != 'all'")[[*KEYS, "repetition", "value"]]
