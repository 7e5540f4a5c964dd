"""Read one language's documents from a source."""

from cr5.steps.base import run
from cr5.steps.documents import DocumentsStep

run(DocumentsStep, snakemake)
