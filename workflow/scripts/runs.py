"""Write TREC run files and qrels of all ranks."""

from cr5.base import console
from cr5.scores import runs


def main() -> None:
    """Write them."""
    with console.job(snakemake.log[0], "runs"):
        runs.write(snakemake.output[0], snakemake.input.ranks)


main()
