"""What was tried on validation queries to a figure over dimensions."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import load_csv
from cr5.report.canvas import save_figure
from cr5.report.dimension_figure import dimension_figure


def main() -> None:
    """Draw the figure in all formats."""
    read = snakemake.input
    with console.job(snakemake.log[0], "dimensions"):
        figure = dimension_figure(load_csv(read.table))
        stem = Path(snakemake.output.svg).with_suffix("")
        save_figure(figure, stem, origin.read(read.origin)[0])


main()
