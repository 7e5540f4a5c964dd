"""Write TREC run files and qrels of all ranks."""

from cr5.base.job import job
from cr5.scores import ranks

with job(snakemake) as (this_job, _):
    ranks.write_runs(snakemake.output[0], snakemake.input, this_job)
