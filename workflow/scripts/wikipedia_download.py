"""Fetch and verify one file of a dump, or resume an interrupted download."""

from cr5.base.job import job
from cr5.texts.fetch import fetch
from cr5.texts.sources.wikipedia import read

with job(snakemake):
    [file] = [x for x in read(snakemake.input.pins) if x.name == snakemake.wildcards.file]
    # Not from parameters: another contact is no reason to fetch again.
    contact = snakemake.config["corpus"]["contact"]
    fetch(file.address, snakemake.output[0], file.checksum, contact)
