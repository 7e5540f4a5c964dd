"""Draw queries and candidates of one repetition."""

from cr5.steps.draw import DrawStep
from cr5.steps.script import run

run(DrawStep, snakemake)
