"""Means over directions to the table of systems."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import load_csv
from cr5.report.systems import systems_table
from cr5.report.table import write_table


def main() -> None:
    """Write the table in all formats."""
    read = snakemake.input
    with console.job(snakemake.log[0], "systems"):
        table = systems_table(
            load_csv(read.means),
            load_csv(read.significance),
            snakemake.params.corpus,
            load_csv(read.left_out),
        )
        source = origin.read(read.origin)[0]
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


main()
