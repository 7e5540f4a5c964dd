"""Make bags from one language's documents that are already weights of numbered words."""

from cr5.base.job import job
from cr5.counts import bags, documents
from cr5.counts.rules import Rules
from cr5.texts.sources import matrix


@job
def main(log) -> None:
    """Read the documents; there is no text, so only their names are kept."""
    language, written = snakemake.wildcards.language, snakemake.output
    made_with = snakemake.params.made_with
    rules = Rules(**made_with["rules"])
    built, summary = bags.weighted(read(), rules, language, made_with["prefix"], written.bags)
    log.info("%s", summary)
    names = built.documents[["concept", "title"]].itertuples(index=False, name=None)
    documents.write(written.documents, ((*each, "") for each in names), language)


def read():
    """Yield the documents of all files."""
    for prefix, path in zip(snakemake.params.made_with["files"], snakemake.input, strict=True):
        yield from matrix.documents(prefix, path)


if __name__ == "__main__":
    main(snakemake)
