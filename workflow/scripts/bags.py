"""Make bags of words from the documents of one language."""

from cr5.steps.bags import BagsStep
from cr5.steps.script import run

run(BagsStep, snakemake)
