"""Descriptions of Debian's packages in one language to documents."""

import json
from dataclasses import asdict

from cr5.base import console, files, provenance
from cr5.corpora import debian_descriptions, translations
from cr5.corpora.apart import Counts
from cr5.counts import documents


def main() -> None:
    """Write the documents, and what they were made from."""
    language, params = snakemake.wildcards.language, snakemake.params
    with console.job(snakemake.log[0], f"documents {language}") as log:
        folder, counts = snakemake.input.source, Counts(language)
        records = debian_descriptions.records(
            folder, language, params.languages, counts, params.among
        )
        log.info("%d documents", documents.write(snakemake.output.documents, records))
        read = translations.find(folder, language)
        about = {"paragraphs": asdict(counts), "files": provenance.files(read)}
        with files.atomic_file(snakemake.output.source) as path:
            path.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


main()
