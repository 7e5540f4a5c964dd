"""What became of the entries of a task's dictionaries, to a table."""

from pathlib import Path

from cr5.base import console, origin
from cr5.report.dictionaries import dictionary_table
from cr5.report.table import write_table
from cr5.tasks import tables


def main() -> None:
    """Write the table in all formats."""
    params, read = snakemake.params, snakemake.input
    with console.job(snakemake.log[0], f"dictionaries of {params.task}"):
        coverage = tables.load(read.tables)["coverage"]
        table = dictionary_table(coverage, params.corpus, params.task)
        stem = Path(snakemake.output.html).with_suffix("")
        write_table(table, stem, origin.read(read.origin)[0])


main()
