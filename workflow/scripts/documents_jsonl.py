"""Check the user's documents of one language and store them as parquet."""

from cr5.base import console, provenance, sealed_json
from cr5.corpora import capitalised, jsonl
from cr5.counts import documents


def main() -> None:
    """Write the documents, and notes on their sources."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"documents {language}") as log:
        source = snakemake.input.source
        records = jsonl.records(source, language)
        if snakemake.params.capitalised == "drop":
            records = capitalised.without(records)
        log.info("%d documents", documents.write(snakemake.output.documents, records, language))
        sealed_json.write(snakemake.output.source, {"files": provenance.files([source])})


main()
