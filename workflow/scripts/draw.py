"""Draw queries and candidates of one repetition."""

from cr5.steps.base import run
from cr5.steps.draw import DrawStep

run(DrawStep, snakemake)
