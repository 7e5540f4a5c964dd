"""Rank the queries of one task with one fitted system."""

from cr5.steps.rank import RankStep
from cr5.steps.script import run

run(RankStep, snakemake)
