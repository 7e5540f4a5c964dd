"""Fit one system in one setting and repetition."""

from cr5.steps.fit import FitStep
from cr5.steps.script import run

run(FitStep, snakemake)
