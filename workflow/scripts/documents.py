"""Read one language's documents, and parallel paragraphs if there are any, from a source."""

from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.catalogue import SOURCES
from cr5.base.job import job
from cr5.counts import documents
from cr5.texts.reading import Reading, Records, files, write_paragraphs

with job(snakemake) as (this_job, log):
    language, written = snakemake.wildcards.language, snakemake.output
    made_with, texts = snakemake.params.made_with, snakemake.input[0]
    corpus = made_with["corpus"]
    source = SOURCES.part("corpus", corpus)
    if not corpus.get("path"):
        texts = Artefact(texts, "texts of a corpus").whole()
    reading = Reading(source, Path(texts), language, made_with["languages"])
    found = [x.name for x in files(reading)]
    records = Records(SOURCES.source("corpus", corpus))
    n = documents.write(
        written.documents,
        records.documents(source.records(reading)),
        language,
        notes=lambda: {**records.notes, "files": found},
        job=this_job,
    )
    log.info("%d documents", n)
    for path in written.paragraphs:
        write_paragraphs(path, records.paragraphs, language, this_job)
