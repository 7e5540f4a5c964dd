"""Write TREC run files and qrels of all ranks."""

from cr5.base.job import job
from cr5.scores import runs


@job
def main(log) -> None:
    """Write them."""
    runs.write(snakemake.output[0], snakemake.input)


if __name__ == "__main__":
    main(snakemake)
