"""Ranks of one system in one setting and task to scores and curves, over all repetitions."""

from cr5.base import console, files
from cr5.scores import ranks, summary


def main() -> None:
    """Write scores, curves, and the scores of each repetition."""
    params = snakemake.params
    with console.job(snakemake.log[0], " ".join(["score", *snakemake.wildcards])):
        found = [ranks.read(folder) for folder in snakemake.input.ranks]
        tables = {
            "scores": summary.scores(found, params.metrics, params.bootstrap, params.seed),
            "repetitions": summary.by_repetition(found, params.metrics),
            "curves": summary.curves(found, params.curve, params.bootstrap, params.seed),
        }
        with files.atomic_folder(snakemake.output[0]) as folder:
            for name, table in tables.items():
                table.to_parquet(folder / f"{name}.parquet", index=False)


main()
