"""Fetch one file of a dump, or resume an interrupted download."""

from cr5.base.job import job
from cr5.base.parts import SOURCES
from cr5.corpora.fetch import download
from cr5.corpora.wikimedia import sources


@job
def main(log) -> None:
    """Fetch and verify it, and record its size and checksum."""
    name, pins = snakemake.wildcards.file, sources.read_pins(snakemake.input.pins)
    [pin] = [pin for pin in pins if pin.name == name]
    # Not from parameters: a change of patience or contact is no reason to fetch again.
    settings = SOURCES.part("corpus", snakemake.config["corpus"])
    fetched = download.fetch(pin, snakemake.output.file, settings)
    sources.write_pins(snakemake.output.pin, [fetched.pin])


if __name__ == "__main__":
    main(snakemake)
