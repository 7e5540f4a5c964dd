"""Make bags from one language's documents that are already weights of numbered words."""

from cr5.base import console, provenance, sealed_json
from cr5.corpora.sources import matrix
from cr5.counts import bags, documents, given
from cr5.counts.rules import Rules


def main() -> None:
    """Read the documents; there is no text, so only their names are kept."""
    language, written = snakemake.wildcards.language, snakemake.output
    with console.job(snakemake.log[0], f"bags {language}") as log:
        rules, prefix = Rules(**snakemake.params.rules), snakemake.params.prefix
        built, summary = given.build(read(), rules, language, prefix)
        bags.save(written.bags, built, summary)
        log.info("%s", summary)
        names = built.documents[["concept", "title"]].itertuples(index=False, name=None)
        documents.write(written.documents, ((*each, "") for each in names), language)
        sealed_json.write(written.source, {"files": provenance.files(snakemake.input.read)})


def read():
    """Yield the documents of all files."""
    for place in snakemake.params.places:
        for concept, document in matrix.documents(matrix.Place(**place)):
            yield concept, document.label, document.weights


main()
