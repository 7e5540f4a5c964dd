"""Read one language's documents from a source, and parallel paragraphs if it has any."""

import logging

from cr5.base.artefacts import Artefact, Job
from cr5.contracts.step import Paths, Step
from cr5.steps.parts import NamedSource
from cr5.steps.source import SOURCE_TEXTS

log = logging.getLogger(__name__)


class DocumentsStep(Step):
    """Read one language's documents, and parallel paragraphs if the source has any."""

    language: str
    corpus: NamedSource
    languages: tuple[str, ...]
    """All of the run, for a source whose documents of a language depend on the others."""
    is_fetched: bool
    """Whether the texts are those that `SourceStep` fetched, rather than the user's."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `documents` and, if it is there, `paragraphs` from `texts`."""
        from cr5.contracts.source import Reading
        from cr5.counts import documents
        from cr5.texts.reading import Records, files, write_paragraphs

        texts = inputs.one("texts")
        if self.is_fetched:
            texts = Artefact(texts, SOURCE_TEXTS).whole()
        source = self.corpus.part
        reading = Reading(source, texts, self.language, self.languages)
        file_names = [path.name for path in files(reading)]
        records = Records(self.corpus.source)
        n_documents = documents.write(
            outputs.first(),
            records.documents(source.records(reading)),
            self.language,
            notes=lambda: {**records.notes, "files": file_names},
            job=job,
        )
        log.info("%d documents", n_documents)
        for folder in outputs.all("paragraphs"):
            write_paragraphs(folder, records.paragraphs, self.language, job)
