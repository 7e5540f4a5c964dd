"""Fetch the texts of a corpus."""

from cr5.base import console, files
from cr5.base.modules import load_module


def main() -> None:
    """Fetch what the source needs for the languages."""
    with console.job(snakemake.log[0], "source"):
        source = load_module(snakemake.input.module, "fetch")
        with files.atomic_folder(snakemake.output[0]) as folder:
            source.fetch(snakemake.params.languages, folder)


main()
