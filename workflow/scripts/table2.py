"""Ranks to Table 2: nearest documents by title."""

from pathlib import Path

from cr5.base import console
from cr5.base.tables import read_parquet
from cr5.report.examples import examples
from cr5.report.table import write_table
from cr5.report.table2 import table2
from cr5.scores.ranks import nearest


def main() -> None:
    """Write the table in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], "table2"):
        titles = {
            language: read_parquet(Path(folder) / "documents.parquet", ["concept", "title"])
            for language, folder in zip(params.languages, snakemake.input.bags, strict=True)
        }
        titles = {x: frame.set_index("concept")["title"] for x, frame in titles.items()}
        ranks = nearest(snakemake.input.ranks, params.similarity)
        found = examples(ranks, titles, params.n_queries, params.seed)
        write_table(
            table2(found, params.corpus, params.similarity),
            Path(snakemake.output.html).with_suffix(""),
        )


main()
