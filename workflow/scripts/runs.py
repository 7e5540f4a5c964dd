"""Write TREC run files and qrels of all ranks."""

from cr5.steps.base import run
from cr5.steps.runs import RunsStep

run(RunsStep, snakemake)
