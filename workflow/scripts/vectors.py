"""Monolingual word vectors of one language, from all documents that hold no query."""

import pandas as pd

from cr5.base import console
from cr5.counts import documents
from cr5.counts.tokens import tokenise
from cr5.fitting import vectors
from cr5.splits import draw as splits


def main() -> None:
    """Train on every document whose concept is neither test nor validation query."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"vectors {language}") as log:
        held_out = splits.held_out(pd.read_parquet(snakemake.input.split))
        sentences = [
            tokens
            for concept, text in documents.stream(snakemake.input.documents, ["concept", "text"])
            if concept not in held_out
            for tokens in (tokenise(line, language) for line in text.splitlines())
            if tokens
        ]
        words, rows = vectors.train(
            sentences, **snakemake.params.options, seed=snakemake.params.seed
        )
        log.info("%d words from %d paragraphs", len(words), len(sentences))
        vectors.save(snakemake.output[0], words, rows)


main()
