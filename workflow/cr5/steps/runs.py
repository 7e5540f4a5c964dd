"""Write TREC run files and qrels of all ranks."""

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step


class RunsStep(Step):
    """Write TREC run files and qrels of all ranks."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `runs` from `ranks`."""
        from cr5.scores import ranks

        ranks.write_runs(outputs.first(), inputs.all("ranks"), job)
