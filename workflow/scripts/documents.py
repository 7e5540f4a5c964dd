"""Read one language's documents from a source."""

from cr5.steps.documents import DocumentsStep
from cr5.steps.script import run

run(DocumentsStep, snakemake)
