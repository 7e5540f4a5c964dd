"""Ranks to Table 2: nearest documents by title."""

from pathlib import Path

from cr5.base import console, origin
from cr5.base.tables import read_parquet
from cr5.report.examples import examples
from cr5.report.table import write_table
from cr5.report.table2 import table2, without_examples
from cr5.scores.ranks import left_out, nearest


def main() -> None:
    """Write the table in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], "table2"):
        reason = left_out(snakemake.input.ranks)
        source = origin.read(snakemake.input.ranks)[0].then([params.n_queries, params.seed])
        table = without_examples(params.corpus, reason["reason"]) if reason else with_examples()
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


def with_examples():
    """Lay out some queries and what was found."""
    params = snakemake.params
    titles = {
        language: read_parquet(Path(folder) / "documents.parquet", ["concept", "title"])
        for language, folder in zip(params.languages, snakemake.input.bags, strict=True)
    }
    titles = {x: frame.set_index("concept")["title"] for x, frame in titles.items()}
    ranks = nearest(snakemake.input.ranks, params.similarity)
    found = examples(ranks, titles, params.n_queries, params.seed)
    return table2(found, params.corpus, params.similarity)


main()
