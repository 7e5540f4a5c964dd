"""Fit one system in one setting and repetition."""

from cr5.steps.base import run
from cr5.steps.fit import FitStep

run(FitStep, snakemake)
