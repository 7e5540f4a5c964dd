"""Statistics of the corpus: its languages and their pairs."""

from pathlib import Path

import pandas as pd

from cr5.base import console, origin, sealed_json
from cr5.base.tables import load_csv
from cr5.counts import bags
from cr5.report.corpus import language_table, pair_table
from cr5.report.table import write_table


def main() -> None:
    """Write both tables in all formats."""
    params, read, written = snakemake.params, snakemake.input, snakemake.output
    with console.job(snakemake.log[0], "corpus"):
        statistics = pd.DataFrame([bags.read_summary(x) for x in read.bags])
        statistics["unique_words"] = [params.unique_words] * len(statistics)
        sources = [sealed_json.read(path) for path in read.documents]
        paragraphs = [source["paragraphs"] for source in sources if "paragraphs" in source]
        table = language_table(
            statistics, params.corpus, pd.DataFrame(paragraphs) if paragraphs else None
        )
        source = origin.of_all(read.draws)
        write_table(table, Path(written.languages).with_suffix(""), source)
        pairs = pd.concat([load_csv(path) for path in read.pairs], ignore_index=True)
        pairs_stem = Path(written.pairs).with_suffix("")
        write_table(pair_table(pairs, params.corpus), pairs_stem, source)


main()
