"""Read given word vectors of one language."""

from cr5.steps.base import run
from cr5.steps.given_vectors import GivenVectorsStep

run(GivenVectorsStep, snakemake)
