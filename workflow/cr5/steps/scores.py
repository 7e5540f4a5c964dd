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

        folders: dict[tuple[str, str, str], list[Path]] = {}
        for names, folder in zip(self.fits, inputs.all("ranks"), strict=True):
            folders.setdefault(names, []).append(folder)
        metrics = {task: list(names) for task, names in self.metrics.items()}
        scores = collected.collect(folders, metrics, self.curve, self.seed)
        collected.write(scores, outputs.first(), job)
