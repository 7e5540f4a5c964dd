"""Fetch one file of a dump, or resume an interrupted download."""

from cr5.base import console
from cr5.corpora.fetch import fetch
from cr5.corpora.wikimedia import dump


def main() -> None:
    """Fetch and verify it."""
    name = snakemake.wildcards.file
    with console.job(snakemake.log[0], f"download {name}"):
        [file] = [x for x in dump.read(snakemake.input.pins) if x.name == name]
        # Not from parameters: another contact is no reason to fetch again.
        contact = snakemake.config["corpus"]["contact"]
        fetch(file.address, snakemake.output.file, file.checksum, contact)


main()
