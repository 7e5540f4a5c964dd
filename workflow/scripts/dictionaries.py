"""Fetch dictionaries: one for each directed pair that has one."""

from cr5.base.job import job
from cr5.texts import dictionaries

with job(snakemake) as (this_job, _):
    made_with, addresses = snakemake.params.made_with, snakemake.params.addresses
    with this_job.making(snakemake.output[0], "dictionaries") as folder:
        pairs = list(map(tuple, made_with["pairs"]))
        dictionaries.fetch(made_with["where"], pairs, addresses, folder)
