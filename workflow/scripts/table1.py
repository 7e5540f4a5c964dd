"""Scores of one task to a table in the layout of the paper's Table 1."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import read_csv
from cr5.corpora import aligned
from cr5.report import sentences
from cr5.report.table import write_table
from cr5.report.table1 import table1


def main() -> None:
    """Write the table in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], params.task):
        bundles = map(aligned.about, snakemake.input.get("aligned", []))
        table = table1(
            read_csv(snakemake.input.scores),
            params.corpus,
            params.task,
            params.unlike,
            read_csv(snakemake.input.left_out),
            params.paper_table,
            sentences.notes(bundles, params.languages),
        )
        source = origin.read(snakemake.input.origin)[0]
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


main()
