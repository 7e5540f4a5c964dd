"""Fetch one file that the configuration names by its address."""

from cr5.base import console
from cr5.corpora.fetch import download
from cr5.corpora.fetch.access import Access
from cr5.corpora.fetch.pins import Pin, write_pins


def main() -> None:
    """Fetch it, and note size and checksum of what came."""
    address = snakemake.params.address
    with console.job(snakemake.log[0], f"fetch {address}") as log:
        pin = Pin("", "", "", "text", address.rsplit("/", 1)[-1], address)
        fetched = download.fetch(pin, snakemake.output.file, Access(contact="no contact given"))
        write_pins(snakemake.output.pin, [fetched.pin])
        log.info("%d bytes in %.0f s", fetched.received, fetched.seconds)


main()
