"""Read given word vectors of one language."""

from cr5.steps.given_vectors import GivenVectorsStep
from cr5.steps.script import run

run(GivenVectorsStep, snakemake)
