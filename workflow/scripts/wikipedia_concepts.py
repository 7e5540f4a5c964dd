"""Make the table of concepts by page id from one language's page_props."""

from cr5.base.job import job
from cr5.texts.wikimedia.concepts import concepts

with job(snakemake) as log:
    log.info("%s", concepts(snakemake.input[0], snakemake.output[0], snakemake.wildcards.language))
