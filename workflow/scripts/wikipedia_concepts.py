"""Make the table of concepts by page id of one language."""

from cr5.steps.script import run
from cr5.steps.wikipedia_concepts import ConceptsStep

run(ConceptsStep, snakemake)
