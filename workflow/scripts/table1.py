"""Scores to Table 1."""

from pathlib import Path

import pandas as pd

from cr5.base import console
from cr5.report.table import write_table
from cr5.report.table1 import table1


def main() -> None:
    """Write the table in all formats."""
    with console.job(snakemake.log[0], "table1"):
        table = table1(pd.read_csv(snakemake.input.scores), snakemake.params.corpus)
        write_table(table, Path(snakemake.output.html).with_suffix(""))


main()
