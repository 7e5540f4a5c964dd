"""Make the table of concepts by page id from one language's page_props."""

from cr5.base import console, sealed_json
from cr5.corpora.wikimedia.concepts import concepts


def main() -> None:
    """Write the table and its counts."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"concepts {language}") as log:
        counts = concepts(snakemake.input.table[0], snakemake.output.concepts, language)
        log.info("%s", counts)
        sealed_json.write(snakemake.output.counts, counts)


main()
