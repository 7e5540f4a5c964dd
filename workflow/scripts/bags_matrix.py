"""Make bags from one language's documents that are already weights."""

from cr5.steps.script import run
from cr5.steps.weighted_bags import WeightedBagsStep

run(WeightedBagsStep, snakemake)
