"""Have snakemake write the HTML page of the finished results."""

import os
import subprocess
import sys
from pathlib import Path

from cr5.base import console, files, origin, refusals
from cr5.base.errors import UserError


def main() -> None:
    """Call snakemake on the finished part of this workflow; it runs no job."""
    with console.job(snakemake.log[0], "report") as log:
        with (
            files.scratch_file(f"{snakemake.output[0]}.rst") as front,
            files.atomic_file(snakemake.output[0]) as page,
        ):
            front.write_text(first_page(), encoding="utf-8")
            write_page(page, front)
        log.info("open %s in a browser", snakemake.output[0])


def first_page() -> str:
    """Add to the text of the first page where the scores come from, and where to look on.

    All is of one run.
    """
    read = snakemake.input
    origin.of_all(path for path in read if path.endswith(".json"))
    scores, _ = origin.read(read.run)
    explored = [
        f"`Look through what was found <{Path(x).name}/index.html>`_.\n" for x in read.explore
    ]
    said = [Path(read.front).read_text(encoding="utf-8"), *explored, f"Made from {scores}.\n"]
    return "\n".join(said)


def write_page(page: Path, front: Path) -> None:
    """Have snakemake write the page."""
    params = snakemake.params
    command = [sys.executable, "-m", "snakemake", params.target, "--nolock"]
    command += ["--snakefile", params.snakefile, "--configfile", snakemake.input.config]
    done = subprocess.run(
        [*command, "--report", str(page)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "CR5_REPORT": str(front.resolve())},
    )
    if done.returncode != 0:
        refused = refusals.of_text(done.stdout, snakemake.output[0])
        raise refused or UserError(f"snakemake could not write the report:\n{done.stdout}")


main()
