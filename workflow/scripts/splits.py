"""Concepts to training, validation, test and candidates of one setting."""

from pathlib import Path

import pandas as pd

from cr5.base import console, files
from cr5.splits import draw as splits


def main() -> None:
    """Draw queries and candidates over all languages, then split those of the setting."""
    with console.job(snakemake.log[0], f"splits {snakemake.wildcards.setting}") as log:
        documents = {
            language: pd.read_parquet(Path(folder) / "documents.parquet")
            for language, folder in zip(
                snakemake.params.all_languages, snakemake.input.bags, strict=True
            )
        }
        drawn = splits.draw(
            documents,
            [tuple(pair) for pair in snakemake.params.pairs],
            splits.Sizes(**snakemake.params.sizes),
            snakemake.params.seed,
        )
        split = splits.split(drawn, snakemake.params.languages)
        members = {x: pd.Index(documents[x]["concept"]) for x in snakemake.params.languages}
        pairs = splits.sizes_by_pair(split, members)
        log.info("\n%s", pairs.to_string(index=False))
        with files.atomic_file(snakemake.output.split) as path:
            split.to_parquet(path, index=False)
        with files.atomic_file(snakemake.output.pairs) as path:
            pairs.to_csv(path, index=False)


main()
