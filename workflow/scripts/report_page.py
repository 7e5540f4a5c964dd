"""Have snakemake write the HTML page of the finished results."""

import subprocess
import sys

from cr5.base import console, files
from cr5.base.errors import UserError


def main() -> None:
    """Call snakemake on the finished part of this workflow; it runs no job."""
    params = snakemake.params
    with console.job(snakemake.log[0], "report") as log:
        with files.atomic_file(snakemake.output[0]) as page:
            command = [sys.executable, "-m", "snakemake", params.target, "--nolock"]
            command += ["--snakefile", params.snakefile, "--configfile", snakemake.input.config]
            done = subprocess.run(
                [*command, "--report", str(page)],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if done.returncode != 0:
                raise UserError(f"snakemake could not write the report:\n{done.stdout}")
        log.info("open %s in a browser", snakemake.output[0])


main()
