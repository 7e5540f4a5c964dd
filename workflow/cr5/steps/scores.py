"""Scores, curves and tests are made of the ranks of all systems; and TREC runs."""

from __future__ import annotations

from pathlib import Path

from cr5.base.artefacts import Job
from cr5.steps.contract import Inputs, Paths, Step


class ScoresInputs(Inputs):
    """Ranks in the order of the fits, and what was looked for of tests in what trains."""

    ranks: Paths
    seen: Paths = ()


class ScoresStep(Step):
    """Figures of merit of all ranks.

    Of all systems and repetitions at once: an interval over repetitions needs the queries of all
    of them, and a test between two systems what each query got of both.
    """

    metrics: dict[str, tuple[str, ...]]  # by task
    curve: int  # the last k of Success@k
    fits: tuple[tuple[str, str, str], ...]  # setting, system and task of each folder of ranks
    seed: int

    def run(self, inputs: ScoresInputs, output: Path, job: Job) -> None:
        """Compute the figures of each fit, over its repetitions."""
        from cr5.scores import collected

        folders: dict[tuple[str, str, str], list[Path]] = {}
        for fit, folder in zip(self.fits, inputs.ranks, strict=True):
            folders.setdefault(fit, []).append(folder)
        frames = collected.collect(folders, self.metrics, self.curve, self.seed)
        collected.write(frames, output, job=job)


class RunsInputs(Inputs):
    """Ranks."""

    ranks: Paths


class RunsStep(Step):
    """TREC run files and qrels of all ranks, for other programs."""

    def run(self, inputs: RunsInputs, output: Path, job: Job) -> None:
        """Write them."""
        from cr5.scores import ranks

        ranks.write_runs(output, inputs.ranks, job=job)
