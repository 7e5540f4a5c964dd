"""Run the step of a script of the workflow."""

from typing import Any

from cr5.base.job import job
from cr5.contracts.step import Paths, Step


def run(kind: type[Step], snakemake: Any) -> None:
    """Run the step of a script, with the parameters that its rule gives."""
    with job(snakemake) as this_job:
        step = kind.model_validate(snakemake.params.step)
        inputs = Paths(dict(snakemake.input.items()))
        outputs = Paths({"": snakemake.output, **dict(snakemake.output.items())})
        step.run(inputs, outputs, this_job, snakemake.threads)
