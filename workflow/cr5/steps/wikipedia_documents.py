"""Join the documents of all files of one language's dump, in the order of the files."""

import logging
from itertools import chain

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step

log = logging.getLogger(__name__)
MANY = 0.1  # of the articles
WITHOUT_CONCEPT = (
    "%d articles have no Q-id, %d have: is page_props of the same wiki and of about the same day "
    "as the text?"
)


class WikipediaDocumentsStep(Step):
    """Join the documents of all files of one language's dump, in the order of the files.

    Of two about the same thing the first one counts. Notes have the checksums that were published,
    and what happened to the pages.
    """

    language: str

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `documents` from `parts` and `pins`."""
        from cr5.counts import documents
        from cr5.texts.sources import wikipedia
        from cr5.texts.wikimedia.pages import total

        parts = inputs.all("parts")
        pages = total(parts)
        pins = wikipedia.read(inputs.one("pins"))
        notes = {"files": [pin._asdict() for pin in pins], "pages": pages}
        log.info("%s", pages)
        n_without = pages["no_concept"]
        n_documents = pages["documents"]
        if n_without > MANY * (n_without + n_documents):
            log.warning(WITHOUT_CONCEPT, n_without, n_documents)
        stored = (documents.stream(part, language=self.language) for part in parts)
        n_written = documents.write(
            outputs.first(),
            chain.from_iterable(stored),
            self.language,
            repeated="first",
            notes=lambda: notes,
            job=job,
        )
        log.info("%d documents", n_written)
