"""Curves to the figure of precision@k."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import load_csv
from cr5.report.canvas import save_figure
from cr5.report.figures import precision_at_k


def main() -> None:
    """Write the figure in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], snakemake.wildcards.figure):
        curves = load_csv(snakemake.input.curves)
        curves = curves[~curves["setting"].isin(params.without)]
        figure = precision_at_k(curves, params.similarity, params.show_published, params.task)
        source = origin.read(snakemake.input.origin)[0]
        save_figure(figure, Path(snakemake.output.svg).with_suffix(""), source)


main()
