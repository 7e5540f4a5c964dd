"""Join the documents of all files of one language's dump, in the order of the files.

Of two about the same thing the first one counts. Notes have the checksums that were published, and
what happened to the pages.
"""

from cr5.base.job import job
from cr5.counts import documents
from cr5.texts.sources.wikipedia import read as read_pins
from cr5.texts.wikimedia.pages import total

MANY = 0.1  # of the articles

with job(snakemake) as (this_job, log):
    language, read = snakemake.wildcards.language, snakemake.input
    parts = (documents.stream(path, language=language) for path in read.parts)
    records = (record for part in parts for record in part)
    pages = total(read.parts)
    about = {
        "files": [file._asdict() for file in read_pins(read.pins)],
        "pages": pages,
    }
    log.info("%s", pages)
    if pages["no_concept"] > MANY * (pages["no_concept"] + pages["documents"]):
        log.warning(
            "%d articles have no Q-id, %d have: is page_props of the same wiki and of about the "
            "same day as the text?",
            *(pages["no_concept"], pages["documents"]),
        )
    n = documents.write(
        snakemake.output[0],
        records,
        language,
        repeated="first",
        notes=lambda: about,
        job=this_job,
    )
    log.info("%d documents", n)
