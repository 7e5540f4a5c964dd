"""Statistics of the corpus: its languages and their pairs."""

import json
from pathlib import Path

import pandas as pd

from cr5.base import console
from cr5.report.corpus import language_table, pair_table
from cr5.report.table import write_table


def _read_json(path: str | Path) -> dict:
    return json.loads(Path(path).read_text(encoding="utf-8"))


def main() -> None:
    """Write both tables in all formats."""
    corpus = snakemake.params.corpus
    with console.job(snakemake.log[0], "corpus"):
        statistics = [_read_json(Path(folder) / "summary.json") for folder in snakemake.input.bags]
        sources = [_read_json(path) for path in snakemake.input.documents]
        paragraphs = [source["paragraphs"] for source in sources if "paragraphs" in source]
        table = language_table(
            pd.DataFrame(statistics), corpus, pd.DataFrame(paragraphs) if paragraphs else None
        )
        write_table(table, Path(snakemake.output.languages).with_suffix(""))
        pairs = [pd.read_csv(path) for path in snakemake.input.pairs]
        table = pair_table(dict(zip(snakemake.params.settings, pairs, strict=True)), corpus)
        write_table(table, Path(snakemake.output.pairs).with_suffix(""))


main()
