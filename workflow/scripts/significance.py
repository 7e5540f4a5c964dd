"""Ranks of all systems to means over directions, and tests between systems."""

from pathlib import Path

from cr5.base import console
from cr5.report import compared


def main() -> None:
    """Write means.csv, significance.csv and their origin."""
    params = snakemake.params
    with console.job(snakemake.log[0], "significance"):
        found = compared.gather(snakemake.input.ranks, params.metrics, params.seed)
        compared.write(found, Path(snakemake.output.origin).parent)


main()
