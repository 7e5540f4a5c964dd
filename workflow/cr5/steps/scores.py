"""Make scores, curves and tests from the ranks of all systems and repetitions."""

from pathlib import Path

from cr5.base.artefacts import Job
from cr5.contracts.step import Paths, Step


class ScoresStep(Step):
    """Make scores, curves and tests from the ranks of all systems and repetitions."""

    metrics: dict[str, tuple[str, ...]]
    """By task."""
    curve: int
    seed: int
    fits: tuple[tuple[str, str, str], ...]
    """Setting, system and task of each of the ranks."""

    def run(self, inputs: Paths, outputs: Paths, job: Job, threads: int = 1) -> None:
        """Make `scores` from `ranks`."""
        from cr5.scores import collected

        folders_of_fits: dict[tuple[str, str, str], list[Path]] = {}  # one of each repetition
        for fit, folder in zip(self.fits, inputs.all("ranks"), strict=True):
            folders_of_fits.setdefault(fit, []).append(folder)
        metrics = {task: list(metrics_of_task) for task, metrics_of_task in self.metrics.items()}
        scores = collected.collect(folders_of_fits, metrics, self.curve, self.seed)
        collected.write(scores, outputs.first(), job)
