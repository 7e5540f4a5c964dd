"""Rank the queries of one task with one fitted system."""

from cr5.steps.base import run
from cr5.steps.rank import RankStep

run(RankStep, snakemake)
