"""Fetch the texts of a corpus."""

from cr5.base import console, files
from cr5.base.parts import SOURCES


def main() -> None:
    """Fetch what the source needs for the languages."""
    with console.job(snakemake.log[0], "source"):
        source = SOURCES.part("corpus", snakemake.params.corpus)
        with files.atomic_folder(snakemake.output[0]) as folder:
            source.fetch(snakemake.params.languages, folder)


main()
