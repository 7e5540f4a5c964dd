"""Make scores, curves and tests from the ranks of all systems."""

from cr5.base.job import job
from cr5.scores import collected


@job
def main(log) -> None:
    """Write a CSV file of each."""
    made_with, folders = snakemake.params.made_with, {}
    for fit, folder in zip(made_with["fits"], snakemake.input.ranks, strict=True):
        folders.setdefault(tuple(fit), []).append(folder)
    of = made_with["metrics"], made_with["curve"], made_with["seed"]
    found = collected.collect(folders, *of)
    collected.write(found, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)
