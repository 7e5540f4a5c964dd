"""Make a run's report."""

from cr5.steps.report import ReportStep
from cr5.steps.script import run

run(ReportStep, snakemake)
