"""Faults on demand: a small run is disturbed in every way that we know, resumed and judged.

    python -m tests.faults --out FOLDER

After each fault the run is resumed as the README says. Survived is what ends with all tables and
all files of the manifest equal to an undisturbed run's, byte for byte, or with a clear error that
says what to remove, and equal after that.
"""

import argparse
import sys
import time
from pathlib import Path

from tests.faults import artefacts, bench, clocks, disks, inside, kills, paths, report
from tests.faults.bench import FAILED, SKIPPED, Outcome

FAMILIES = (kills, inside, disks, artefacts, clocks, paths)
KINDS = {kind: inject for family in FAMILIES for kind, inject in family.KINDS.items()}
DEFAULT = 12  # faults of a kind, where their number is not fixed


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser("python -m tests.faults", description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, help="a folder for the report and all runs")
    parser.add_argument("--seed", type=int, default=0, help="of all that is random (0)")
    parser.add_argument(
        "--count", type=int, default=DEFAULT, help=f"faults of a kind, roughly ({DEFAULT})"
    )
    parser.add_argument(
        "--kinds", nargs="+", metavar="WORD", help="only kinds with one of these words in them"
    )
    parser.add_argument("--list", action="store_true", help="list the kinds, and nothing else")
    return parser.parse_args()


def main() -> int:
    """Inject, judge, report after every kind; 1 if anything was not survived."""
    given = arguments()
    chosen = [k for k in KINDS if not given.kinds or any(word in k for word in given.kinds)]
    if given.list or not given.out:
        print("\n".join(chosen))
        return 0
    began, outcomes = time.monotonic(), []
    place = given.out.absolute()
    made = bench.prepared(place, given.seed)
    for kind in chosen:
        for each in KINDS[kind](made, given.count):
            outcomes.append(each)
            tell(each)
        about = {"seed": given.seed, "seconds": round(time.monotonic() - began)}
        report.write(place, outcomes, {**about, "undisturbed run, seconds": round(made.usual)})
    print("\n".join(report.lines(outcomes)))
    return int(any(each.ended == FAILED for each in outcomes))


def tell(each: Outcome) -> None:
    """A line on the terminal."""
    said = f": {each.said}" if each.ended in (FAILED, SKIPPED) else ""
    print(f"{each.ended:8} {each.seconds:6.1f} s  {each.kind}: {each.what}{said}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
