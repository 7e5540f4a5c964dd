"""Make word translation tables of both directions from parallel sentences."""

from cr5.steps.align import AlignStep
from cr5.steps.script import run

run(AlignStep, snakemake)
