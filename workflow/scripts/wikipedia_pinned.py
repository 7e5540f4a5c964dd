"""Write all pinned files of a run to one table."""

from cr5.base import console
from cr5.corpora.fetch.pins import read_pins, write_pins


def main() -> None:
    """Write the table; used as `corpus.pins`, it repeats the run."""
    with console.job(snakemake.log[0], "pinned"):
        pins = [pin for path in snakemake.input.tables for pin in read_pins(path)]
        write_pins(snakemake.output[0], pins)


main()
