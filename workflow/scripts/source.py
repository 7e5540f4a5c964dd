"""Fetch the texts of a corpus."""

from cr5.steps.base import run
from cr5.steps.source import SourceStep

run(SourceStep, snakemake)
