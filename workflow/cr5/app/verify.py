"""`cr5 verify`: check that results are what the run made, and that it can reproduce them."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from cr5.base import origin
from cr5.base.errors import UserError
from cr5.base.files import check_free
from cr5.plan import again, manifest
from cr5.plan.manifest import ABSENT, Difference

SHOWN = 8  # of the outputs that depend on a file


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
    parser.add_argument(
        "--folder", help="where to repeat the jobs; next to the results unless given"
    )


def run(given: argparse.Namespace) -> None:
    """Compare the files with the manifest, then rerun some jobs and compare."""
    results = Path(given.place)
    made = manifest.read(results)
    number = _number(given.again)
    if given.cores < 1:
        raise UserError(f"--cores {given.cores}: expected at least 1")
    found = manifest.differences(results, made)
    _tell(found)
    if any(each.what != ABSENT for each in found):
        raise UserError(
            f"{results} is not what the run made: see above. {_remedy(results, made, found)}"
        )
    print(f"{len(made.files)} files of {len(made.jobs)} jobs are as the run made them.")
    if number != 0:
        _again(results, made, given, number)


def _remedy(results: Path, made: manifest.Manifest, found: list[Difference]) -> str:
    """Name whole outputs: snakemake cannot remake a single file of a folder."""
    if outputs := manifest.outputs_to_remove(results, made, found):
        named = ", ".join(str(results / path) for path in outputs)
        return f"Remove {named} and run again, or take back what was changed"
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
    place = _place(given.folder, results)
    folder = place / made.about["corpus"]["name"]  # as the rules call it, wherever it is now
    again.copy(results, folder)
    again.do(results, folder, jobs, given.cores, _start(results, made))
    found = list(again.differences(folder, jobs, made))
    _tell(found)
    if found:
        raise UserError(f"{len(found)} files came out differently; they are in {folder}")
    shutil.rmtree(place)
    named = ", ".join(map(str, jobs[:SHOWN])) + (" ..." if len(jobs) > SHOWN else "")
    print(f"{len(jobs)} job{'s' * (len(jobs) != 1)}, done again, made the same bytes: {named}.")


def _start(results: Path, made: manifest.Manifest) -> Path | None:
    """The folder that the run was started in, which relative paths of its inputs refer to."""
    folder = Path(os.path.normpath(results.absolute() / made.about["folder"]))
    return folder if made.about["folder"] and folder.is_dir() else None


def _place(folder: str | None, results: Path) -> Path:
    if folder is None:
        place = tempfile.mkdtemp(prefix=f".{results.name}.again-", dir=results.parent)
        return Path(place).absolute()
    check_free(folder)
    return Path(folder).absolute()


def _tell(found: Iterable[Difference]) -> None:
    for each in found:
        print(f"{each.path}: {each.what}{_affected(each.affected)}", file=sys.stderr)


def _affected(paths: tuple[str, ...]) -> str:
    if not paths:
        return ""
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return f"; made from it: {', '.join(paths[:SHOWN])}{more}"
