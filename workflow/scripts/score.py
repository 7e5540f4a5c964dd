"""Ranks of one system in one setting and task to scores and curves, over all repetitions."""

from cr5.base import console, files, origin
from cr5.scores import ranks, summary


def main() -> None:
    """Write scores, curves, the scores of each repetition, and which repetitions are left out."""
    params = snakemake.params
    with console.job(snakemake.log[0], " ".join(["score", *snakemake.wildcards])):
        sources = [origin.read(folder)[0] for folder in snakemake.input.ranks]
        left_out = [ranks.left_out(folder) for folder in snakemake.input.ranks]
        pairs = zip(snakemake.input.ranks, left_out, strict=True)
        found = [ranks.read(folder) for folder, reason in pairs if not reason]
        tables = {
            "scores": summary.scores(found, params.metrics),
            "repetitions": summary.by_repetition(found, params.metrics),
            "curves": summary.curves(found, params.curve),
        }
        with files.atomic_folder(snakemake.output[0]) as folder:
            for name, table in tables.items():
                table.to_parquet(folder / f"{name}.parquet", index=False)
            reasons = [reason for reason in left_out if reason]
            origin.write(folder, origin.joined(sources, params.made_with), left_out=reasons)


main()
