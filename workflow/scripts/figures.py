"""Make a run's figures from scores and the notes of jobs."""

from pathlib import Path

from cr5.base import console, files
from cr5.plan.told import told
from cr5.report.all_figures import figure
from cr5.report.canvas import save_figure
from cr5.report.run_files import RunFiles


def main() -> None:
    """Write each figure in all formats, and its numbers if no table has them."""
    params = snakemake.params
    with console.job(snakemake.log[0], "figures"):
        run = RunFiles(
            dict(snakemake.input.items()),
            {**told(params.config, params.configuration), **params.of},
        )
        source = run.source()
        for stem, kind, similarity in params.figures:
            drawn, numbers = figure(run, kind, similarity)
            path = Path(params.results) / stem
            if numbers is not None:
                with files.atomic_file(f"{path}.csv") as temporary:
                    numbers.to_csv(temporary, index=False, float_format="%.6g", lineterminator="\n")
            save_figure(drawn, path, source)


main()
