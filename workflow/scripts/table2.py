"""Ranks to Table 2: nearest documents by title."""

from pathlib import Path

from cr5.base import console
from cr5.counts import bags
from cr5.report.examples import examples
from cr5.report.table import write_table
from cr5.report.table2 import table2
from cr5.tasks import documents as retrieval


def main() -> None:
    """Write the table in all formats."""
    params = snakemake.params
    with console.job(snakemake.log[0], "table2"):
        folders = dict(zip(params.languages, snakemake.input.bags, strict=True))
        documents = {x: bags.load(folder).documents for x, folder in folders.items()}
        titles = {x: frame.set_index("concept")["title"] for x, frame in documents.items()}
        results = retrieval.load_ranks([snakemake.input.ranks], [params.fit])
        found = examples(results, titles, params.n_queries, params.seed)
        write_table(
            table2(found, params.corpus, "cosine"), Path(snakemake.output.html).with_suffix("")
        )


main()
