"""Fetch dictionaries."""

from cr5.steps.dictionaries import DictionariesStep
from cr5.steps.script import run

run(DictionariesStep, snakemake)
