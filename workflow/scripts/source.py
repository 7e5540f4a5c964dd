"""Fetch the texts of a corpus: what the source needs for the languages."""

from cr5.base.catalogue import SOURCES
from cr5.base.job import job

with job(snakemake) as (this_job, _):
    made_with = snakemake.params.made_with
    source = SOURCES.part("corpus", made_with["corpus"])
    with this_job.making(snakemake.output[0], "texts of a corpus") as folder:
        source.fetch(made_with["languages"], folder)
