"""Make word translation tables of both directions from parallel sentences of two languages."""

from pathlib import Path

import pandas as pd

from cr5.base import console, csv_files, origin, provenance
from cr5.base.errors import UserError
from cr5.corpora import aligned, alignment
from cr5.counts.rules import TokenRules, tokens_of
from cr5.splits import settings


def main() -> None:
    """Write the tables and their origin; empty tables if nothing trains."""
    params, written = snakemake.params, snakemake.output
    pair = snakemake.wildcards.first, snakemake.wildcards.second
    with console.job(snakemake.log[0], " ".join(["align", *snakemake.wildcards])) as log:
        sentences = given(pair)
        tokens = tokens_of(TokenRules(**params.tokens), pair)
        tables = alignment.tables(
            sentences, pair, params.seed, written.about, snakemake.threads, tokens
        )
        for path, table in zip(written.tables, tables, strict=True):
            alignment.write(path, table)
            log.info("%s: %d entries", path, len(table))
        made_of = provenance.files(files())
        source = origin.first(params.run_seed, [params.options, params.seed], made_of)
        for path in written.tables:
            csv_files.describe(path, source)
        origin.write(
            written.about,
            source,
            pair=pair,
            seed=params.seed,
            sentences=int(sentences[list(pair)].notna().all(axis=1).sum()),
            data=made_of,
            program=provenance.files([alignment.program()]),  # its build matters too
        )


def given(pair: tuple[str, str]) -> pd.DataFrame:
    """Return the sentences of parallel files, or the paragraphs of the training documents."""
    read = snakemake.input
    if not read.trained:
        return aligned.table(read.sentences[0])
    trained = settings.load(read.trained)
    paragraphs = dict(zip(pair, read.sentences, strict=True))
    sentences, _ = alignment.of_paragraphs(paragraphs, trained)
    if len(trained) and sentences[list(pair)].dropna().empty:
        raise UserError(
            f"alignments: documents that train in {' and '.join(pair)} share no paragraph; give "
            "parallel files as alignments.sentences"
        )
    return sentences


def files() -> list[Path]:
    """Return the files read."""
    read = snakemake.input
    if read.trained:
        return [*map(Path, read.sentences), Path(read.trained)]
    return [Path(read.sentences[0]) / aligned.TABLE]


main()
