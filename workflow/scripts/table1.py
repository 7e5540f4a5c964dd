"""Scores of one task to a table in the layout of the paper's Table 1."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import load_csv
from cr5.report import sentences
from cr5.report.dictionaries import coverage_notes
from cr5.report.table import write_table
from cr5.report.table1 import table1
from cr5.tasks import tables


def main() -> None:
    """Write the table in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], params.task):
        bundles = map(sentences.about, snakemake.input.get("aligned", []))
        table = table1(
            load_csv(snakemake.input.scores),
            params.corpus,
            params.task,
            params.unlike,
            load_csv(snakemake.input.left_out),
            more=[*_notes(), *sentences.notes(bundles, params.languages)],
            printed=params.printed,
            significance=load_csv(snakemake.input.significance),
        )
        source = origin.of_all(snakemake.input.origins)
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


def _notes() -> list[str]:
    """What the task's own files have to say, where it has any."""
    made = snakemake.input.get("tables")
    return coverage_notes(tables.load(str(made))["coverage"]) if made else []


main()
