"""Make a run's tables from scores and the notes of jobs, and record what made the run."""

from pathlib import Path

from cr5.base import console
from cr5.plan.told import told
from cr5.report import record
from cr5.report.all_tables import FRAMES, table
from cr5.report.collected import write
from cr5.report.run_files import RunFiles
from cr5.report.table import write_table


def main() -> None:
    """Write each table in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], "tables"):
        run = RunFiles(
            dict(snakemake.input.items()),
            {**told(params.config, params.configuration), **params.of},
        )
        source = run.source()
        for stem, kind, task in params.tables:
            write_table(table(run, kind, task), Path(params.results) / stem, source)
        frames = {name: getattr(run, FRAMES[name]) for name in params.frames}
        write(frames, Path(params.results) / "tables", source)
        if params.recorded:
            systems = params.of["systems"]
            record.write(params.results, params.config, source, snakemake.input.documents, systems)


main()
