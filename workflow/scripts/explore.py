"""Write the page to explore a run's results."""

from cr5.steps.base import run
from cr5.steps.explore import ExploreStep

run(ExploreStep, snakemake)
