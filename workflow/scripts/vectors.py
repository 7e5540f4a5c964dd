"""Train monolingual word vectors of one language on all documents that are not queries.

A document whose concept is a test or a validation query does not train, nor its copies if these
are kept together.
"""

from cr5.base.job import job
from cr5.counts import documents
from cr5.counts.rules import TokenRules, tokens_of
from cr5.fitting import vectors
from cr5.fitting.options import VectorOptions
from cr5.splits.draw import Draw

with job(snakemake) as (this_job, _):
    language, read = snakemake.wildcards.language, snakemake.input
    made_with = snakemake.params.made_with
    options = VectorOptions(**made_with["options"])
    options = options.model_copy(update={"threads": snakemake.threads})  # fewer, with fewer cores
    tokens = tokens_of(TokenRules(**made_with["tokens"]), [language], read.stop_words)
    held_out = frozenset(Draw.load(read.draw).kept_from_training())
    stored = documents.stream(read.documents, ["concept", "text"], language=language)
    with vectors.sentences(stored, held_out, language, tokens, snakemake.output[0]) as found:
        words, rows = vectors.train(found, options, made_with["seed"])
    vectors.save(snakemake.output[0], words, rows, language, this_job)
