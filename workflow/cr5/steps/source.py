"""Fetch the texts of a corpus: what its source needs for the languages."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.steps.parts import NamedSource

SOURCE_TEXTS = "texts of a corpus"


class SourceStep(Step):
    """Fetch the texts of a corpus: what its source needs for the languages."""

    corpus: NamedSource
    languages: tuple[str, ...]

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `texts`, a folder."""
        with job.making(outputs.first(), SOURCE_TEXTS) as folder:
            self.corpus.part.fetch(self.languages, folder)
