"""Fetch dictionaries."""

from cr5.base.artefacts import making
from cr5.base.job import job
from cr5.texts import dictionaries


@job
def main(log) -> None:
    """Fetch one for each directed pair that has one."""
    params = snakemake.params
    with making(snakemake.output[0], "dictionaries") as folder:
        dictionaries.fetch(params.where, [tuple(pair) for pair in params.pairs], folder)


if __name__ == "__main__":
    main(snakemake)
