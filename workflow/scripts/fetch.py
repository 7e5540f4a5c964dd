"""Fetch one file that a system or task names by its URL."""

from cr5.base import console
from cr5.corpora.fetch import fetch


def main() -> None:
    """Fetch it, or resume an interrupted download."""
    with console.job(snakemake.log[0], f"fetch {snakemake.wildcards.file}"):
        fetch(snakemake.params.address, snakemake.output[0])


main()
