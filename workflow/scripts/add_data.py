"""Scores and numbers of training concepts to the figure of both."""

from pathlib import Path

from cr5.base import console, files, origin
from cr5.base.tables import load_csv
from cr5.report.add_data import add_data, curves
from cr5.report.canvas import save_figure


def main() -> None:
    """Write the figure in all formats, and its numbers."""
    params, read = snakemake.params, snakemake.input
    stem = Path(snakemake.output.svg).with_suffix("")
    with console.job(snakemake.log[0], "add_data"):
        scores, pairs = load_csv(read.scores), load_csv(read.pairs)
        table = curves(scores, pairs, params.points, params.similarity, params.task)
        with files.atomic_file(f"{stem}.csv") as path:
            table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")
        source = origin.read(read.origin)[0]
        save_figure(add_data(table, params.similarity), stem, source)


main()
