"""Fetch one file of a dump, or resume an interrupted download."""

from cr5.base import console
from cr5.base.parts import SOURCES
from cr5.corpora.fetch import download
from cr5.corpora.wikimedia import sources


def main() -> None:
    """Fetch and verify it, and record its size and checksum."""
    names = dict(snakemake.wildcards)
    with console.job(snakemake.log[0], f"download {names['file']}"):
        [pin] = [p for p in sources.read_pins(snakemake.input.pins) if p.name == names["file"]]
        # Not from parameters: a change of patience or contact is no reason to fetch again.
        settings = SOURCES.part("corpus", snakemake.config["corpus"])
        fetched = download.fetch(pin, snakemake.output.file, settings)
        sources.write_pins(snakemake.output.pin, [fetched.pin])


main()
