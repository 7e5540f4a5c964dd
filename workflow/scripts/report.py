"""Make a run's report: all its tables and figures, and what made it."""

from pathlib import Path

from cr5.base.job import job
from cr5.report import record, report
from cr5.report.run import read as read_run
from cr5.splits.seen import warnings_in


@job
def main(log) -> None:
    """Write report/, report.html, run.json and config.yaml, from files of one run."""
    read, params, out = snakemake.input, snakemake.params, snakemake.output
    run = read_run(dict(read.items()), {**params.facts, **params.of})
    about = record.about(params.config, run.facts, read.documents)
    seen = warnings_in(read.seen[0]) if read.seen else []
    report.write(run, about, Path(out.page).parent, params.explored, seen)
    log.info("open %s in a browser", out.page)


if __name__ == "__main__":
    main(snakemake)
