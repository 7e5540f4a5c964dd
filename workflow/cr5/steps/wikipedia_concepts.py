"""Make the table of concepts by page id from one language's page_props."""

import logging

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step

log = logging.getLogger(__name__)


class ConceptsStep(Step):
    """Make the table of concepts by page id from one language's page_props."""

    language: str

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `concepts` from `page_props`."""
        from cr5.base.text_files import open_stream
        from cr5.texts.wikimedia import concepts

        path = inputs.one("page_props")
        with open_stream(path) as stream:
            pages = concepts.page_props(stream, path)
        concepts.write(outputs.first(), pages, self.language, job)
        log.info("%s: %d pages", path, len(pages))
