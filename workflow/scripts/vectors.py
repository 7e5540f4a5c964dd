"""Train word vectors of one language."""

from cr5.steps.script import run
from cr5.steps.vectors import VectorsStep

run(VectorsStep, snakemake)
