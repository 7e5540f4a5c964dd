"""Join the documents of all files of one language's dump."""

from cr5.base import console
from cr5.counts import documents


def main() -> None:
    """Join them in the order of the files; of two about the same thing the first one counts."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"documents {language}") as log:
        parts = (documents.stream(path, language=language) for path in snakemake.input)
        records = (record for part in parts for record in part)
        n = documents.write(snakemake.output[0], records, language, repeated="first")
        log.info("%d documents", n)


main()
