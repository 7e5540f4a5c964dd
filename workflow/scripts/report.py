"""Make a run's report."""

from cr5.steps.base import run
from cr5.steps.report import ReportStep

run(ReportStep, snakemake)
