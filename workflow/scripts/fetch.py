"""Fetch one file that a system or task names by its URL."""

from cr5.base.job import job
from cr5.corpora.fetch import download
from cr5.corpora.fetch.access import Access
from cr5.corpora.fetch.pins import TEXT, Pin, write_pins


@job
def main(log) -> None:
    """Fetch it, and record its size and checksum."""
    pin = Pin("", "", TEXT, snakemake.wildcards.file, snakemake.params.address)
    fetched = download.fetch(pin, snakemake.output.file, Access())
    write_pins(snakemake.output.pin, [fetched.pin])


if __name__ == "__main__":
    main(snakemake)
