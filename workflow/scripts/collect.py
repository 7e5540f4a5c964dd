"""Scores of all systems in one table each."""

from pathlib import Path

from cr5.base import console
from cr5.report import collected


def main() -> None:
    """Write all tables of scores and curves, left_out.csv and their origin."""
    rows = {tuple(fit): row for *fit, row in snakemake.params.published}
    with console.job(snakemake.log[0], "collect"):
        found = collected.collect(snakemake.input.scores, rows)
        collected.write(found, Path(snakemake.output.scores).parent)


main()
