"""Join the documents of all files of one language's dump."""

from cr5.steps.script import run
from cr5.steps.wikipedia_documents import WikipediaDocumentsStep

run(WikipediaDocumentsStep, snakemake)
