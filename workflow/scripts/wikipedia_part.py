"""Make documents from one file of a dump."""

from cr5.base.job import job
from cr5.texts.wikimedia.part import text_part


@job
def main(log) -> None:
    """Read pages, choose articles, strip their markup."""
    names, read = snakemake.wildcards, snakemake.input
    text_part(read.file, names.language, read.concepts, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)
