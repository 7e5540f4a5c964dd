"""The documents of one language are read from a source."""

from __future__ import annotations

from pathlib import Path

from cr5.base.artefacts import Artefact, Job
from cr5.steps import source as source_step
from cr5.steps.contract import Inputs, Paths, SourceChoice, Step


class DocumentsInputs(Inputs):
    """The user's file or folder, or what was fetched."""

    texts: Path


class DocumentsOutputs(Inputs):
    """The documents, and parallel paragraphs where the source has some."""

    documents: Path
    paragraphs: Paths = ()


class DocumentsStep(Step):
    """Documents, and parallel paragraphs if the source has any."""

    source: SourceChoice
    is_fetched: bool  # rather than the user's own files
    language: str
    languages: tuple[str, ...]  # on which others the documents of a language depend

    def run(self, inputs: DocumentsInputs, outputs: DocumentsOutputs, job: Job) -> None:
        """Read the records of the source, and write them."""
        from cr5.counts import documents
        from cr5.texts.reading import Reading, checked, files, write_paragraphs

        texts = inputs.texts
        if self.is_fetched:
            texts = Artefact(texts, source_step.KIND).whole()
        source = self.source.part
        reading = Reading(source, texts, self.language, self.languages)
        file_names = [path.name for path in files(reading)]
        records = checked(source.records(reading), self.source.module)
        n_documents = documents.write(
            outputs.documents,
            records,
            self.language,
            notes=lambda: {**reading.notes, "files": file_names},
            job=job,
        )
        job.log.info("%d documents", n_documents)
        for path in outputs.paragraphs:
            write_paragraphs(path, reading.parallel, self.language, job=job)
