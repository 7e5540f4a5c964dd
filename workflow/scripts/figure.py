"""Curves to the figure of precision@k."""

from pathlib import Path

import pandas as pd

from cr5.base import console
from cr5.report.figures import precision_at_k, save_figure


def main() -> None:
    """Write the figure in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], snakemake.wildcards.figure):
        figure = precision_at_k(
            pd.read_csv(snakemake.input.curves),
            params.similarity,
            show_published=params.corpus == "wikipedia",
        )
        save_figure(figure, Path(snakemake.output.svg).with_suffix(""))


main()
