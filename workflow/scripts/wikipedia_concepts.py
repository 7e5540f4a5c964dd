"""Make the table of concepts by page id from one language's page_props."""

from cr5.base.job import job
from cr5.base.text_files import open_stream
from cr5.texts.wikimedia import concepts

with job(snakemake) as (this_job, log):
    path = snakemake.input[0]
    with open_stream(path) as stream:
        pages = concepts.page_props(stream, path)
    concepts.write(snakemake.output[0], pages, snakemake.wildcards.language, this_job)
    log.info("%s: %d pages", path, len(pages))
