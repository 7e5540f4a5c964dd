"""Rank the test queries of one setting by one system, in all directions."""

import pandas as pd

from cr5.base import console, files
from cr5.counts import bags
from cr5.models import word_tables
from cr5.tasks import documents as retrieval


def main() -> None:
    """Write one table of ranks per directed pair."""
    params = snakemake.params
    names = dict(snakemake.wildcards)
    with console.job(snakemake.log[0], f"rank {names['setting']} {names['system']}") as log:
        languages = params.languages
        tables = {x: word_tables.load(snakemake.input.model, x) for x in languages}
        results = retrieval.rank_all(
            {x: bags.load(f) for x, f in zip(languages, snakemake.input.bags, strict=True)},
            pd.read_parquet(snakemake.input.split),
            lambda counts, language: word_tables.embed(counts, tables[language]),
            csls_neighbours=params.csls_neighbours,
            csls_neighbourhood=params.csls_neighbourhood,
            threads=snakemake.threads,
        )
        with files.atomic_folder(snakemake.output[0]) as folder:
            for (query, target), frame in results:
                frame.to_parquet(folder / f"{query}-{target}.parquet", index=False)
                log.info("%s-%s: P@1 %s", query, target, retrieval.summary(frame))


main()
