"""Scores of one task to a table of systems by falling accuracy."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import load_csv
from cr5.report.accuracies import of_directions, of_means, published
from cr5.report.by_accuracy import by_accuracy
from cr5.report.table import write_table


def main() -> None:
    """Write the table in all formats."""
    params, read = snakemake.params, snakemake.input
    with console.job(snakemake.log[0], params.task):
        scores = load_csv(read.scores)
        table = by_accuracy(
            of_directions(scores) if params.classes else of_means(load_csv(read.means), scores),
            load_csv(read.significance),
            load_csv(read.dimensions),
            params.corpus,
            params.task,
            published(load_csv(read.reproduction), scores),
            load_csv(read.left_out),
        )
        source = origin.of_all(read.origins)
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


main()
