"""Draw queries and candidates of one repetition, for all settings."""

from cr5.base import console, origin, provenance
from cr5.base.artefacts import check_consistent
from cr5.base.errors import UserError
from cr5.counts import bags
from cr5.splits.advice import without_queries
from cr5.splits.draw import draw
from cr5.splits.options import Sizes


def main() -> None:
    """Draw them from the documents of all languages."""
    params = snakemake.params
    with console.job(snakemake.log[0], f"draw {snakemake.wildcards.repetition}") as log:
        # Include the files: word vectors come from text that leaves no trace in the bags.
        read = zip(params.languages, snakemake.input.bags, snakemake.input.notes, strict=True)
        corpus = {
            language: [provenance.folder(folder)["sha256"], provenance.noted(notes)]
            for language, folder, notes in read
        }
        documents = {
            language: bags.read_documents(folder, language, ["concept", "n_unique"])
            for language, folder in zip(params.languages, snakemake.input.bags, strict=True)
        }
        sizes = Sizes(**params.made_with["sizes"])
        drawn = draw(documents, params.made_with["pairs"], sizes, params.made_with["seed"])
        if reason := without_queries(drawn, documents, sizes):
            raise UserError(f"In the whole corpus {reason}")
        log.info("\n%s", drawn.pairs.to_string(index=False))
        source = origin.first(params.run_seed, params.made_with, corpus)
        drawn.save(snakemake.output[0], check_consistent(snakemake.input.bags), source)


main()
