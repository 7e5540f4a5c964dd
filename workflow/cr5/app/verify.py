"""`cr5 verify`: check that results are what the run made, and that it can reproduce them."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.plan import again, manifest
from cr5.plan.manifest import ABSENT, ADDED, CHANGED, MISSING, Difference
from cr5.plan.manifest_file import place_of

SHOWN = 5  # of several paths


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("place", help="folder of a run, such as results/libreoffice_help")
    parser.add_argument(
        "--again",
        default="5",
        metavar="N",
        help="repeat that many jobs, or `all`, in another folder, and compare (5); 0 for none",
    )
    parser.add_argument("--seed", type=int, default=0, help="which jobs these are (0)")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="how many (all)")
    parser.add_argument("--folder", help="where to repeat the jobs; by default next to the results")
    parser.add_argument(
        "--run-modules",
        action="store_true",
        help="also where the configuration of the results names Python files of somebody's own",
    )


def run(given: argparse.Namespace) -> None:
    """Compare the files with the manifest, then rerun some jobs and compare."""
    results = Path(given.place)
    made = manifest.read(results)
    number = _number(given.again)
    if given.cores < 1:
        raise UserError(f"--cores {given.cores}: expected at least 1")
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
    if number != 0:
        _check_repeatable(results, absent, given.run_modules)
        _again(results, made, given, number)


def _check_repeatable(results: Path, absent: list[str], run_modules: bool) -> None:
    """Reject what cannot be repeated, or would run code that the results name."""
    if absent:
        raise UserError(
            f"no job can be repeated without {_few(absent)}, which the run read. Put the results "
            "and these where they were to each other, or give --again 0"
        )
    if (own := again.own_modules(results)) and not run_modules:
        raise UserError(
            f"repeating jobs would run {', '.join(own)}, which the configuration of the results "
            "names. Read the code; then give --run-modules, or else --again 0"
        )


def _remedy(results: Path, made: manifest.Manifest, found: list[Difference]) -> str:
    """Name whole outputs: snakemake cannot remake a single file of a folder."""
    files = [each.path for each in found if each.what in (MISSING, CHANGED, ADDED)]
    outputs = sorted({place_of(path, made.outputs()) for path in files} - {None})
    if there := [str(results / path) for path in outputs if (results / path).exists()]:
        return f"Remove {', '.join(there)} and run again, or take back what was changed"
    return "Take back what was changed, or run again"


def _number(text: str) -> int | None:
    if text == "all":
        return None
    if not text.isdecimal():
        raise UserError(f"--again {text}: expected a number of jobs, or `all`")
    return int(text)


def _again(results: Path, made: manifest.Manifest, given: argparse.Namespace, number) -> None:
    if origin.code() != made.about["code"]:
        print(
            f"The run was made by code {made.about['code']}, this is {origin.code()}: all that "
            "names its code will differ, and more may. Check out the other one to compare.",
            file=sys.stderr,
        )
    jobs = again.choose(made, number, given.seed)
    with _place(given.folder, results) as place:
        folder = place / made.about["corpus"]["name"]  # as the rules call it, wherever it is now
        again.copy(results, folder)
        again.do(results, folder, jobs, given.cores, _start(results, made))
    found = list(again.differences(folder, jobs, made))
    _tell(folder, found)
    if found:
        raise UserError(f"{len(found)} files came out differently; they are in {folder}")
    shutil.rmtree(place)
    named = _few([*map(str, jobs)])
    print(f"{len(jobs)} job{'s' * (len(jobs) != 1)}, done again, made the same bytes: {named}.")


def _start(results: Path, made: manifest.Manifest) -> Path | None:
    """The folder that the run was started in, which relative paths of its inputs refer to."""
    folder = Path(os.path.normpath(results.absolute() / made.about["folder"]))
    return folder if made.about["folder"] and folder.is_dir() else None


@contextmanager
def _place(folder: str | None, results: Path) -> Iterator[Path]:
    """Give the folder where jobs are repeated; remove one of our own unless all were."""
    if folder is not None:
        check_free(folder)
        yield Path(folder).absolute()
        return
    place = tempfile.mkdtemp(prefix=f".{results.name}.again-", dir=results.parent)
    try:
        yield Path(place).absolute()
    except BaseException:
        shutil.rmtree(place)
        raise


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
