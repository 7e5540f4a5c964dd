"""Read the documents of one language from a source, and store them."""

from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.job import job
from cr5.base.parts import SOURCES
from cr5.counts import documents
from cr5.texts.reading import Reading, checked, files, write_paragraphs


@job
def main(log) -> None:
    """Write the documents, what the source tells of them, and parallel paragraphs, if any."""
    language, written = snakemake.wildcards.language, snakemake.output
    made_with, texts = snakemake.params.made_with, snakemake.input[0]
    corpus = made_with["corpus"]
    source = SOURCES.part("corpus", corpus)
    if not corpus.get("path"):
        texts = Artefact(texts, "texts of a corpus").whole()
    reading = Reading(source, Path(texts), language, made_with["languages"])
    found = [x.name for x in files(reading)]
    records = checked(source.records(reading), SOURCES.source("corpus", corpus))
    n = documents.write(
        written.documents, records, language, notes=lambda: {**reading.notes, "files": found}
    )
    log.info("%d documents", n)
    for path in written.paragraphs:
        write_paragraphs(path, reading.parallel, language)


if __name__ == "__main__":
    main(snakemake)
