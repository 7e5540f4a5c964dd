"""Make documents, and paragraphs parallel across languages, from help pages of one language."""

from dataclasses import asdict

import pandas as pd

from cr5.base import artefacts, console, provenance, sealed_json
from cr5.base.labels import PARAGRAPHS
from cr5.corpora import libreoffice_help as help_pages
from cr5.counts import documents


def main() -> None:
    """Write the documents, and notes on their sources."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"documents {language}") as log:
        folder = snakemake.input.source
        source = help_pages.find(folder, language)
        counts = help_pages.Counts(language)
        english = help_pages.find(folder, "en")
        parallel = []
        options = counts, snakemake.params.among, parallel
        records = help_pages.records(source, language, english, *options)
        n = documents.write(snakemake.output.documents, records, language)
        log.info("%d documents", n)
        with artefacts.written(
            PARAGRAPHS, snakemake.output.paragraphs, {"language": language}
        ) as path:
            pd.DataFrame(parallel, columns=["concept", "id", "text"]).to_parquet(path, index=False)
        about = {"paragraphs": asdict(counts)}
        is_package = source.is_file()
        about["files"] = (
            provenance.files([source]) if is_package else [provenance.folder(source, "*.html")]
        )
        sealed_json.write(snakemake.output.source, about)


main()
