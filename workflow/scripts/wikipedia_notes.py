"""Record the sources of one language's documents, and what happened to the pages."""

from dataclasses import asdict

from cr5.base import console, sealed_json
from cr5.corpora.wikimedia import dump
from cr5.corpora.wikimedia.part import total

MANY = 0.1  # of the articles


def main() -> None:
    """Write the notes; files have the checksums that are published."""
    read = snakemake.input
    with console.job(snakemake.log[0], f"notes {snakemake.wildcards.language}") as log:
        about = {
            "files": [asdict(file) for file in dump.read(read.pins)],
            "page_props": sealed_json.read(read.concepts),
            "pages": total(read.parts),
        }
        pages = about["pages"]
        log.info("%s", pages)
        if pages["no_concept"] > MANY * (pages["no_concept"] + pages["documents"]):
            log.warning(
                "%d articles have no Q-id, %d have: is page_props of the same wiki and of about "
                "the same day as the text?",
                *(pages["no_concept"], pages["documents"]),
            )
        sealed_json.write(snakemake.output[0], about)


main()
