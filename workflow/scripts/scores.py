"""Make scores, curves and tests from the ranks of all systems."""

from cr5.steps.scores import ScoresStep
from cr5.steps.script import run

run(ScoresStep, snakemake)
