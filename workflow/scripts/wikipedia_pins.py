"""Find out which files Wikimedia publishes for one language; `latest` is resolved here, once."""

import logging

from cr5.base.job import job
from cr5.contracts.catalogue import SOURCES
from cr5.texts.sources import wikipedia

with job(snakemake):
    # Not from parameters: another contact is no reason to look again.
    source = SOURCES.part("corpus", snakemake.config["corpus"])
    pins = source.published(snakemake.wildcards.language)
    wikipedia.write(snakemake.output[0], pins)
    logging.info("%d files of %s", len(pins), pins[0].date)
