"""Make results in this process, one after the other, without snakemake."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from cr5.base.artefacts import Job
from cr5.base.errors import UserError
from cr5.contracts.step import Paths
from cr5.models.encoders.contract import encoder_threads
from cr5.plan.plan import Plan


def make(plan: Plan, targets: Iterable[str], job: Job) -> None:
    """Make some results of a plan and all that they are made of, each by its step.

    What they are made with is what the workflow makes them with, so they are the same bytes. Each
    step runs in a job of its own, with the folder of the results of `job`, and what that one says
    to somebody who waits.
    """
    in_order = list(each_after_its_inputs(plan, targets))
    _check_files(plan, in_order)
    step_of_made: dict[str, dict[str, Any]] = {}
    for path in in_order:
        planned = plan.results[path]
        step = planned.step()
        inputs = planned.inputs()
        reads: dict[str, Any] = {}
        for input_path in chain.from_iterable(inputs.values()):
            reads[input_path] = step_of_made.get(input_path) or plan.checksum(input_path)
        job_of_step = Job.reading(job.results, step.as_json(), reads, job.say)
        threads = plan.config.threads.fit
        with encoder_threads(threads):
            step.run(Paths(inputs), Paths({"": path}), job_of_step, threads)
        step_of_made[path] = step.as_json()


def _check_files(plan: Plan, paths: Iterable[str]) -> None:
    """Refuse a file of the user that is not there, before anything is made."""
    for path in paths:
        for file in plan.inputs.users_files(plan.results[path].inputs()):
            if plan.checksum(file) is None:
                raise UserError(f"{file}: no such file; relative paths start at {Path.cwd()}")


def each_after_its_inputs(plan: Plan, targets: Iterable[str]) -> Iterator[str]:
    """Yield targets and what they are made of, each after all that it is made of."""
    yielded: set[str] = set()

    def visit(path: str) -> Iterator[str]:
        if path in yielded or path not in plan.results:
            return
        yielded.add(path)
        inputs = plan.results[path].inputs()
        for input_path in chain.from_iterable(inputs.values()):
            yield from visit(input_path)
        yield path

    for target in targets:
        yield from visit(target)
