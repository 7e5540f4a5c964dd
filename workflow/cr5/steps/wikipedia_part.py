"""Make documents from one file of a dump."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step


class PartStep(Step):
    """Make documents from one file of a dump: read pages, choose articles, strip their markup."""

    language: str

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `part` from a `dump` and the `concepts`."""
        from cr5.texts.wikimedia.pages import text_part

        dump = inputs.one("dump")
        text_part(dump, self.language, inputs.one("concepts"), outputs.first(), job)
