"""Make scores, curves and tests from the ranks of all systems."""

from pathlib import Path

from cr5.base import console, origin
from cr5.scores import collected


def main() -> None:
    """Write a CSV file of each, with its origin beside it."""
    params, written = snakemake.params, snakemake.output
    with console.job(snakemake.log[0], "scores"):
        expected = dict(zip(snakemake.input.ranks, params.made_with, strict=True))
        source = origin.of_run(expected, params.configuration)
        folders = {}
        for fit, folder in zip(params.fits, snakemake.input.ranks, strict=True):
            folders.setdefault(tuple(fit), []).append(folder)
        found = collected.collect(folders, params.metrics, params.curve, params.seed)
        collected.write(found, Path(written.scores).parent, source)


main()
