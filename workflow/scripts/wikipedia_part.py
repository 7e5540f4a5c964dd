"""Make documents from one file of a dump."""

from cr5.steps.script import run
from cr5.steps.wikipedia_part import PartStep

run(PartStep, snakemake)
