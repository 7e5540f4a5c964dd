"""Ranks of one system in one setting and task to scores and curves, over all repetitions."""

from cr5.base import console, origin
from cr5.base.artefacts import check_consistent
from cr5.scores import kept, ranks, summary


def main() -> None:
    """Write scores, curves, the scores of each repetition, and which repetitions are left out."""
    params, of = snakemake.params, dict(snakemake.wildcards)
    with console.job(snakemake.log[0], " ".join(["score", *snakemake.wildcards])):
        source = origin.of_all(snakemake.input.ranks, params.made_with)
        check_consistent(snakemake.input.ranks, but=["draw"])
        left_out = [ranks.left_out(folder, **of) for folder in snakemake.input.ranks]
        pairs = zip(snakemake.input.ranks, left_out, strict=True)
        found = [ranks.read(folder, **of) for folder, reason in pairs if not reason]
        tables = {
            "scores": summary.scores(found, params.metrics),
            "repetitions": summary.by_repetition(found, params.metrics),
            "curves": summary.curves(found, params.curve),
            "mean_curves": summary.mean_curves(found, params.curve),
        }
        reasons = [reason for reason in left_out if reason]
        kept.save(snakemake.output[0], tables, reasons, source, of)


main()
