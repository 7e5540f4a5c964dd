"""Join the texts of all parts of one language, for systems that read running text."""

from cr5.base import console
from cr5.counts import part_documents


def main() -> None:
    """Join the parts."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"documents {language}") as log:
        n = part_documents.join(
            snakemake.input.documents, snakemake.input.counts, snakemake.output[0], language
        )
        log.info("%d documents", n)


main()
