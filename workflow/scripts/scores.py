"""Make scores, curves and tests from the ranks of all systems."""

from cr5.base.job import job
from cr5.scores import collected


@job
def main(log) -> None:
    """Write a CSV file of each."""
    params, folders = snakemake.params, {}
    for fit, folder in zip(params.fits, snakemake.input.ranks, strict=True):
        folders.setdefault(tuple(fit), []).append(folder)
    found = collected.collect(folders, params.metrics, params.curve, params.seed)
    collected.write(found, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)
