"""Fetch one file that a system or task names by its URL, or resume an interrupted download."""

from cr5.base.job import job
from cr5.texts.fetch import fetch

with job(snakemake):
    fetch(snakemake.params.address, snakemake.output[0])
