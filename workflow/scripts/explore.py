"""Write the page to explore a run's results."""

from cr5.steps.explore import ExploreStep
from cr5.steps.script import run

run(ExploreStep, snakemake)
