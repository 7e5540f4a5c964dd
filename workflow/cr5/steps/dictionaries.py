"""Fetch dictionaries."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step
from cr5.splits.options import Pair
from cr5.texts import dictionaries

FETCHED = "dictionaries"


class DictionariesStep(Step):
    """Fetch dictionaries: one for each directed pair that has one."""

    where: str
    pairs: tuple[Pair, ...]
    addresses: tuple[str, ...]

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `dictionaries`, a folder."""
        with job.making(outputs.first(), FETCHED) as folder:
            dictionaries.fetch(self.where, self.pairs, self.addresses, folder)
