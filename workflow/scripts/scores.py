"""Make scores, curves and tests from the ranks of all systems."""

from cr5.steps.base import run
from cr5.steps.scores import ScoresStep

run(ScoresStep, snakemake)
