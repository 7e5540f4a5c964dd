"""Published figures beside ours."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import load_csv
from cr5.report.reproduction import reproduction
from cr5.report.reproduction_table import reproduction_table
from cr5.report.table import write_table


def main() -> None:
    """Write the table in all formats."""
    params, read = snakemake.params, snakemake.input
    with console.job(snakemake.log[0], "reproduction"):
        compared = reproduction(
            load_csv(read.scores),
            load_csv(read.pairs),
            params.fits,
            params.absent,
            load_csv(read.left_out),
        )
        source = origin.of_all(read.origins)
        table = reproduction_table(compared, params.corpus)
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


main()
