"""Write TREC run files and qrels of all ranks."""

from cr5.base.job import job
from cr5.scores import runs

with job(snakemake):
    runs.write(snakemake.output[0], snakemake.input)
