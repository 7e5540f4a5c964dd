"""What was tried on validation queries to one table and one figure."""

from pathlib import Path

from cr5.base import console, origin
from cr5.report import validation
from cr5.report.canvas import save_figure
from cr5.report.validation_figure import validation_figure


def main() -> None:
    """Write the grids of all fits, and draw them."""
    models, output = snakemake.input.models, snakemake.output
    with console.job(snakemake.log[0], "validation"):
        grids = validation.grids(models, snakemake.params.names)
        validation.write(grids, output.table, models)
        chosen = validation.dimensions(models, snakemake.params.names)
        validation.write(chosen, output.dimensions, models)
        source = origin.read(output.origin)[0]
        save_figure(validation_figure(grids), Path(output.svg).with_suffix(""), source)


main()
