"""`cr5 verify`: check that results are what the run made."""

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import manifest
from cr5.plan.manifest import ABSENT, ADDED, CHANGED, MISSING, Difference
from cr5.plan.manifest_file import place_of

SHOWN = 5  # of several paths


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("place", help="folder of a run, such as results/libreoffice_help")


def run(given: argparse.Namespace) -> None:
    """Compare the files with the manifest."""
    results = Path(given.place)
    made = manifest.read(results)
    every = manifest.differences(results, made)
    found = [each for each in every if each.what != ABSENT]
    absent = [_shown(results, each.path) for each in every if each.what == ABSENT]
    _tell(results, found)
    if absent:
        print(f"Not here, so not compared: {_few(absent)}", file=sys.stderr)
    if found:
        raise UserError(
            f"{results} is not what the run made: see above. {_remedy(results, made, found)}"
        )
    print(f"{len(made.files)} files of {len(made.jobs)} jobs are as the run made them.")


def _remedy(results: Path, made: manifest.Manifest, found: list[Difference]) -> str:
    """Name whole outputs: snakemake cannot remake a single file of a folder."""
    files = [each.path for each in found if each.what in (MISSING, CHANGED, ADDED)]
    outputs = sorted({place_of(path, made.outputs()) for path in files} - {None})
    if there := [str(results / path) for path in outputs if (results / path).exists()]:
        return f"Remove {', '.join(there)} and run again, or take back what was changed"
    return "Take back what was changed, or run again"


def _tell(results: Path, found: Iterable[Difference]) -> None:
    for each in found:
        affected = [_shown(results, path) for path in each.affected]
        made = f"; made from it: {_few(affected)}" if affected else ""
        print(f"{_shown(results, each.path)}: {each.what}{made}", file=sys.stderr)


def _shown(results: Path, path: str) -> str:
    """Return the path from where the user stands."""
    return os.path.normpath(results / path)


def _few(paths: list[str]) -> str:
    return ", ".join(paths[:SHOWN]) + (f" and {len(paths) - SHOWN} more" * (len(paths) > SHOWN))
