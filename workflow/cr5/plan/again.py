"""Repeat some jobs of a finished run in another folder and compare their outputs."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from cr5.base import lock
from cr5.base.errors import UserError
from cr5.plan import before, catalogue, config_files
from cr5.plan.manifest import ABOUT_THE_RUN, CHANGED, MISSING, Difference, Files
from cr5.plan.manifest_file import Job, Manifest

SILENT = "CR5_AGAIN"  # of the environment: the results are another run's, so show no table
NEVER_ALIKE = (ABOUT_THE_RUN, "config.yaml")  # they name the machine, and where results are
OF_THE_RUN = {lock.NAME, before.MARKER}
WRITTEN_IN_PLACE = ("benchmarks", "logs")
START = [sys.executable, "-P", "-m", "cr5.plan.start"]  # -P: imports nothing from that folder
WORKFLOW = Path(__file__).parents[2]
PLACE = ["--snakefile", f"{WORKFLOW}/Snakefile"]
PLACE += ["--workflow-profile", f"{WORKFLOW}/profiles/default"]


def own_modules(results: Path) -> list[str]:
    """Return the Python files that the results' own configuration names: jobs would run them.

    Raises:
        UserError: the configuration is missing or damaged.
    """
    return catalogue.own_modules(config_files.read(results / "config.yaml"))


def choose(manifest: Manifest, number: int | None, seed: int) -> list[Job]:
    """Draw the jobs to repeat.

    No chosen job depends on another one, even indirectly: all jobs between them would run too.

    Args:
        manifest: the run's manifest.
        number: how many at most; None for all that can be repeated.
        seed: seed of the draw.
    """
    able = [job for job in manifest.jobs if not job.network]
    if number is None:
        return able
    chosen: list[Job] = []
    for job in random.Random(seed).sample(able, len(able)):
        if len(chosen) < number and not any(_related(manifest, job, other) for other in chosen):
            chosen.append(job)
    return chosen


def _related(manifest: Manifest, one: Job, other: Job) -> bool:
    """Return whether one job depends on the other's output."""
    made = [{x for path in job.outputs for x in manifest.affected(path)} for job in (one, other)]
    return bool(made[0].intersection(other.outputs) or made[1].intersection(one.outputs))


def copy(results: Path, folder: Path) -> None:
    """Copy the results elsewhere, by hard links where possible; times are kept.

    Jobs write beside a file and rename it, so they never write through a link; the exceptions,
    logs and benchmarks, are left out.
    """
    places = [*_folders(results)]
    for place, names in places:
        there = folder / place.relative_to(results)
        there.mkdir(parents=True)
        for name in set(names) - OF_THE_RUN:
            _link(place / name, there / name)
    for place, _ in reversed(places):
        shutil.copystat(place, folder / place.relative_to(results))


def _folders(results: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield each folder with the names of its files, top down, following links."""
    for place, folders, names in os.walk(results, followlinks=True):
        if Path(place) == results:
            folders[:] = [name for name in folders if name not in WRITTEN_IN_PLACE]
        yield Path(place), names


def _link(source: Path, target: Path) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def do(
    results: Path, folder: Path, jobs: Sequence[Job], cores: int, start: Path | None = None
) -> None:
    """Run the jobs, and no others, on results that `copy` laid out.

    Args:
        results: the run's results, with its configuration.
        folder: takes the place of `results`, with the same name; absolute.
        jobs: jobs of the manifest.
        cores: cores used at once.
        start: the folder where the run was started, if it exists; otherwise the current one.

    Raises:
        UserError: one of them failed.
    """
    targets = [str(folder / path) for job in jobs for path in job.outputs]
    options = ["--configfile", str(results.absolute() / "config.yaml")]
    options += ["--config", f"results={folder.parent}", "--cores", str(cores)]
    options += ["--force", "--rerun-triggers", "mtime", "--nolock", "--drop-metadata"]
    command = [*START, *targets, *options, *PLACE]
    done = subprocess.run(command, cwd=start, env=os.environ | {SILENT: "1"})
    if done.returncode:
        raise UserError(
            "not all of the jobs could be done again, see above; --folder NEW keeps what there is"
        )


def differences(folder: Path, jobs: Sequence[Job], manifest: Manifest) -> Iterator[Difference]:
    """Compare what the jobs made in the folder with the manifest."""
    files, recorded = Files(folder), manifest.by_output()
    for path in [x for job in jobs for x in job.outputs if x not in NEVER_ALIKE]:
        now, was = files.described(path), recorded[path]
        for name in sorted({*now, *was}):
            if now.get(name) != was.get(name):
                what = CHANGED if name in now else MISSING
                yield Difference(name, what, manifest.affected(name))
