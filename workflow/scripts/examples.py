"""Find the queries that the configuration names among the drawn ones."""

from cr5.base import console, sealed_json
from cr5.report.examples import titles
from cr5.report.named import asked, resolve
from cr5.splits.drawn import Draw


def main() -> None:
    """Write language and concept of each."""
    params, read = snakemake.params, snakemake.input
    with console.job(snakemake.log[0], "examples"):
        known = titles(dict(zip(params.languages, read.bags, strict=True)))
        found = resolve(params.named, known, asked(Draw.load(read.draw), params.pairs))
        sealed_json.write(snakemake.output[0], {"named": found})


main()
