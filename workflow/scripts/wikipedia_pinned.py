"""All pinned files of a run in one table."""

from cr5 import console
from cr5.wikimedia.pins import read_pins, write_pins


def main() -> None:
    """Write the table; as `corpus.pins` it repeats the run."""
    with console.job(snakemake.log[0], "pinned"):
        pins = [pin for path in snakemake.input.tables for pin in read_pins(path)]
        write_pins(snakemake.output[0], pins)


main()
