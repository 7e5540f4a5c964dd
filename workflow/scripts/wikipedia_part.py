"""Make documents from one file of a dump."""

from cr5.base import console, sealed_json
from cr5.corpora.wikimedia.part import text_part


def main() -> None:
    """Read pages, choose articles, strip their markup."""
    names, read, written = snakemake.wildcards, snakemake.input, snakemake.output
    with console.job(snakemake.log[0], f"part {names.file}"):
        counts = text_part(read.file, names.language, read.concepts, written.documents)
        sealed_json.write(written.summary, counts)


main()
