"""The texts of a corpus are fetched."""

from __future__ import annotations

from pathlib import Path

from cr5.base.artefacts import Job
from cr5.steps.contract import Inputs, SourceChoice, Step

KIND = "texts of a corpus"


class NoInputs(Inputs):
    """Nothing: what is fetched comes from elsewhere."""


class SourceStep(Step):
    """What a source needs for the languages is fetched."""

    source: SourceChoice
    languages: tuple[str, ...]  # in the order of the configuration

    def run(self, inputs: NoInputs, output: Path, job: Job) -> None:
        """Fetch into a folder."""
        with job.making(output, KIND) as folder:
            self.source.part.fetch(self.languages, folder)
