"""Fetch the texts of a corpus."""

from cr5.steps.script import run
from cr5.steps.source import SourceStep

run(SourceStep, snakemake)
