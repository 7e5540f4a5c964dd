"""Fetch one file that a system or task names by its URL."""

from cr5.base.job import job
from cr5.texts.fetch import fetch


@job
def main(log) -> None:
    """Fetch it, or resume an interrupted download."""
    fetch(snakemake.params.address, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)
