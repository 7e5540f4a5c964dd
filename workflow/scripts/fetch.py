"""Fetch one file that a system or task names by its URL."""

from cr5.base import console
from cr5.corpora.fetch import download
from cr5.corpora.fetch.access import Access
from cr5.corpora.fetch.pins import TEXT, Pin, write_pins


def main() -> None:
    """Fetch it, and record its size and checksum."""
    name, address = snakemake.wildcards.file, snakemake.params.address
    with console.job(snakemake.log[0], f"fetch {name}"):
        pin = Pin("", "", TEXT, name, address)
        fetched = download.fetch(pin, snakemake.output.file, Access())
        write_pins(snakemake.output.pin, [fetched.pin])


main()
