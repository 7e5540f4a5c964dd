"""Make the table of concepts by page id from one language's page_props."""

from cr5.base.job import job
from cr5.texts.wikimedia.concepts import concepts


@job
def main(log) -> None:
    """Write the table and its counts."""
    log.info("%s", concepts(snakemake.input[0], snakemake.output[0], snakemake.wildcards.language))


if __name__ == "__main__":
    main(snakemake)
