"""Fetch and verify one file of a dump, or resume an interrupted download."""

from cr5.base.job import job
from cr5.texts.fetch import fetch
from cr5.texts.sources.wikipedia import read

with job(snakemake):
    pins = {pin.name: pin for pin in read(snakemake.input.pins)}
    dump = pins[snakemake.wildcards.file]
    # Not from parameters: another contact is no reason to fetch again.
    contact = snakemake.config["corpus"]["contact"]
    fetch(dump.address, snakemake.output[0], dump.checksum, contact)
