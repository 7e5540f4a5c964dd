"""Ranks of all systems to scores and curves."""

from cr5.base import console, files
from cr5.report.published import add_published
from cr5.scores import metrics
from cr5.tasks import documents as retrieval


def main() -> None:
    """Write scores.csv, published figures beside ours, and curves.csv."""
    with console.job(snakemake.log[0], "scores"):
        params = snakemake.params
        results = list(retrieval.load_ranks(snakemake.input.ranks, params.fits))
        scores = add_published(metrics.scores(results, params.bootstrap, params.seed))
        curves = metrics.curves(results, params.curve, params.bootstrap, params.seed)
        for frame, path in (
            (scores, snakemake.output.scores),
            (curves, snakemake.output.curves),
        ):
            with files.atomic_file(path) as temporary:
                frame.to_csv(temporary, index=False, float_format="%.6g", lineterminator="\n")


main()
