"""Make word translation tables of both directions from parallel sentences of two languages."""

import pandas as pd

from cr5.base.errors import UserError
from cr5.base.job import job
from cr5.counts.rules import TokenRules, tokens_of
from cr5.splits import training_documents
from cr5.texts import aligned, alignment, translation_tables


def sentences_of(pair: tuple[str, str]) -> pd.DataFrame:
    """Return the sentences of parallel files, or the paragraphs of the training documents."""
    read = snakemake.input
    if not read.trained:
        return aligned.table(read.sentences[0])
    trained = training_documents.load(read.trained)
    paragraphs = dict(zip(pair, read.sentences, strict=True))
    found, _ = alignment.of_paragraphs(paragraphs, trained)
    if len(trained) and found[list(pair)].dropna().empty:
        raise UserError(
            f"alignments: documents that train in {' and '.join(pair)} share no paragraph; give "
            "parallel files as alignments.sentences"
        )
    return found


with job(snakemake) as (this_job, log):
    names, made_with, (output,) = snakemake.wildcards, snakemake.params.made_with, snakemake.output
    pair = names.first, names.second
    sentences = sentences_of(pair)
    tokens = tokens_of(TokenRules(**made_with["tokens"]), pair, snakemake.input.stop_words)
    seed, threads = made_with["seed"], snakemake.threads
    with this_job.making(output, alignment.KIND, **names) as part:
        tables = alignment.tables(sentences, pair, seed, output, threads, tokens)
        for name, table in zip(alignment.FILES, tables, strict=True):
            translation_tables.write(part / name, table)
            log.info("%s: %d entries", name, len(table))
