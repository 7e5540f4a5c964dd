"""Ranks to Table 2: nearest documents by title."""

from pathlib import Path

import pandas as pd

from cr5.base import console, origin, sealed_json
from cr5.report.examples import examples, titles
from cr5.report.table import write_table
from cr5.report.table2 import table2, without_examples
from cr5.scores.ranks import left_out, nearest


def main() -> None:
    """Write the table in all formats."""
    params, read = snakemake.params, snakemake.input
    with console.job(snakemake.log[0], "table2"):
        reasons = [left_out(folder) for folder in read.ranks]
        named = [tuple(x) for path in read.named for x in sealed_json.read(path)["named"]]
        settings = [params.n_queries, params.seed, *([named] if named else [])]
        if all(reasons):
            table = without_examples(params.corpus, reasons[0]["reason"])
        else:
            there = [x for x, reason in zip(read.ranks, reasons, strict=True) if not reason]
            table = with_examples(there, named)
        source = origin.of_all(read.ranks, settings)
        write_table(table, Path(snakemake.output.html).with_suffix(""), source)


def with_examples(folders, named):
    """Lay out some queries and what was found."""
    params = snakemake.params
    known = titles(dict(zip(params.languages, snakemake.input.bags, strict=True)))
    ranks = pd.concat([nearest(folder, params.similarity) for folder in folders])
    found = examples(ranks, known, params.n_queries, params.seed, named)
    return table2(found, params.corpus, params.similarity)


main()
