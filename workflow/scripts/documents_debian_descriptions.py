"""Make documents from the descriptions of Debian's packages in one language."""

from dataclasses import asdict

from cr5.base import console, provenance, sealed_json
from cr5.corpora import debian_descriptions, translations
from cr5.corpora.apart import Counts
from cr5.counts import documents


def main() -> None:
    """Write the documents, and notes on their sources."""
    language, params = snakemake.wildcards.language, snakemake.params
    with console.job(snakemake.log[0], f"documents {language}") as log:
        folder, counts = snakemake.input.source, Counts(language)
        records = debian_descriptions.records(
            folder, language, params.languages, counts, params.among
        )
        log.info("%d documents", documents.write(snakemake.output.documents, records, language))
        read = translations.find(folder, language)
        about = {"paragraphs": asdict(counts), "files": provenance.files(read)}
        sealed_json.write(snakemake.output.source, about)


main()
