"""Fetch dictionaries."""

from cr5.steps.base import run
from cr5.steps.dictionaries import DictionariesStep

run(DictionariesStep, snakemake)
