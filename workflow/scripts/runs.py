"""Write TREC run files and qrels of all ranks."""

from cr5.steps.runs import RunsStep
from cr5.steps.script import run

run(RunsStep, snakemake)
