"""Join and clean parallel text."""

from cr5.steps.aligned import AlignedStep
from cr5.steps.script import run

run(AlignedStep, snakemake)
