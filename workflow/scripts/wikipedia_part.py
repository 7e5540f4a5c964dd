"""Make documents from one file of a dump: read pages, choose articles, strip their markup."""

from cr5.base.job import job
from cr5.texts.wikimedia.pages import text_part

with job(snakemake) as (this_job, _):
    names, read = snakemake.wildcards, snakemake.input
    text_part(read.file, names.language, read.concepts, snakemake.output[0], this_job)
