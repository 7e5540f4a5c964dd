"""`cr5 explore`: write a page for browsing the results of a run."""

import argparse
import os
import sys
from pathlib import Path

from cr5.app import place
from cr5.explore import page
from cr5.explore.shelves import QUERIES

MEGABYTE = 1e6


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("place", help="folder of a run, such as results/libreoffice_help")
    parser.add_argument("--out", metavar="FOLDER", help="of the page; by default PLACE/explore")
    parser.add_argument(
        "--system",
        action="append",
        default=[],
        help="show this one; may be given several times; by default the four best",
    )
    parser.add_argument("--setting", help="by default joint, or the only one")
    place.add_module(parser)
    text = f"at most that many queries of a direction can be chosen; by default {QUERIES}"
    parser.add_argument("--queries", type=int, default=QUERIES, metavar="N", help=text)


def run(given: argparse.Namespace) -> None:
    """Write the page and print its path."""
    out = Path(given.out or Path(given.place) / "explore")
    threads = os.cpu_count() or 1
    index = page.write(
        *(given.place, out, given.system, given.setting),
        *(place.classes(given), given.queries, threads, _say),
    )
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    _say("")
    print(f"{index} ({size / MEGABYTE:.1f} MB): open it in a browser", file=sys.stderr)


def _say(text: str) -> None:
    """Show progress on a terminal, in one line that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
