"""Make scores, curves and tests from the ranks of all systems."""

from cr5.base.job import job
from cr5.scores import collected

with job(snakemake) as (this_job, _):
    made_with, folders = snakemake.params.made_with, {}
    for fit, folder in zip(made_with["fits"], snakemake.input.ranks, strict=True):
        folders.setdefault(tuple(fit), []).append(folder)
    of = made_with["metrics"], made_with["curve"], made_with["seed"]
    collected.write(collected.collect(folders, *of), snakemake.output[0], this_job)
