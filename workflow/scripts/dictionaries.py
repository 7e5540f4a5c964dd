"""Fetch dictionaries."""

from cr5.base import console, files
from cr5.corpora import dictionaries


def main() -> None:
    """Fetch one for each directed pair that has one."""
    params, output = snakemake.params, snakemake.output[0]
    with console.job(snakemake.log[0], "dictionaries"), files.atomic_folder(output) as folder:
        dictionaries.fetch(params.where, [tuple(pair) for pair in params.pairs], folder)


main()
