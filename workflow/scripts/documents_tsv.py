"""Check the user's documents of one language, in columns, and store them as parquet."""

from cr5.base import console, provenance, sealed_json
from cr5.corpora import tsv
from cr5.counts import documents


def main() -> None:
    """Write the documents, and notes on their sources."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"documents {language}") as log:
        source = snakemake.input.source
        records = tsv.records(source, language, **snakemake.params.columns)
        log.info("%d documents", documents.write(snakemake.output.documents, records, language))
        sealed_json.write(snakemake.output.source, {"files": provenance.files([source])})


main()
