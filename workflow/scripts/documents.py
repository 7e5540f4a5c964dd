"""Read the documents of one language from a source, and store them."""

from pathlib import Path

from cr5.base import console, provenance, sealed_json
from cr5.base.parts import SOURCES
from cr5.corpora import aligned
from cr5.corpora.reading import Reading, checked, files
from cr5.counts import documents


def main() -> None:
    """Write the documents, notes on their sources, and parallel paragraphs, if there are any."""
    language, read, params = snakemake.wildcards.language, snakemake.input, snakemake.params
    written = snakemake.output
    with console.job(snakemake.log[0], f"documents {language}") as log:
        source = SOURCES.part("corpus", params.corpus)
        reading = Reading(source, Path(read.texts), language, params.languages)
        found = files(reading)
        records = checked(source.records(reading), read.module)
        n = documents.write(written.documents, records, language)
        log.info("%d documents", n)
        for path in written.paragraphs:
            aligned.write_paragraphs(path, reading.parallel, language)
        sealed_json.write(written.notes, {**reading.notes, "files": provenance.files(found)})


main()
