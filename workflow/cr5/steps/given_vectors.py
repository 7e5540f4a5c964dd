"""Read given word vectors of one language, for the most frequent words."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step


class GivenVectorsStep(Step):
    """Read given word vectors of one language, for the most frequent words."""

    language: str
    most_frequent: int

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `vectors` from a `file`."""
        from cr5.fitting import vectors

        words, rows = vectors.read(inputs.one("file"), self.most_frequent)
        vectors.save(outputs.first(), words, rows, self.language, job)
