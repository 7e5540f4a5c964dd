"""Make a run's report: all its tables and figures, and what made it."""

from pathlib import Path

from cr5.base.job import job
from cr5.report import report
from cr5.report.facts import RunFacts
from cr5.report.run import Run
from cr5.splits.seen import warnings_in

with job(snakemake) as (this_job, log):
    read, made_with, out = snakemake.input, snakemake.params.made_with, snakemake.output
    run = Run.read(dict(read.items()), RunFacts.model_validate(made_with["facts"]))
    seen = warnings_in(read.seen[0]) if read.seen else []
    folder, explored = Path(out.page).parent, snakemake.params.explored
    report.write(run, snakemake.config, folder, explored, seen, this_job)
    log.info("open %s in a browser", out.page)
