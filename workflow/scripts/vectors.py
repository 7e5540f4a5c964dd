"""Train monolingual word vectors of one language on all documents that are not queries."""

from itertools import chain

from cr5.base import console
from cr5.base.artefacts import check_consistent
from cr5.corpora import judged
from cr5.counts import documents
from cr5.counts.rules import TokenRules, tokens_of
from cr5.fitting import vectors
from cr5.fitting.options import VectorOptions
from cr5.splits.drawn import Draw


def main() -> None:
    """Train on every document whose concept is neither a test nor a validation query."""
    language, (output,) = snakemake.wildcards.language, snakemake.output
    options = VectorOptions(**snakemake.params.options)
    options = options.model_copy(
        update={"threads": snakemake.threads}
    )  # fewer if there are fewer cores
    seed = snakemake.params.seed
    with console.job(snakemake.log[0], f"vectors {language}"):
        tokens = tokens_of(TokenRules(**snakemake.params.tokens), [language])
        held_out = frozenset(Draw.load(snakemake.input.draw).held_out())
        stored = documents.stream(snakemake.input.documents, ["concept", "text"], language=language)
        text = vectors.sentences(stored, language, held_out, tokens)
        for path in snakemake.input.channel:
            more = vectors.sentences(judged.documents(path), language, frozenset(), tokens)
            text = chain(text, more)
        with vectors.on_disk(text, beside=output) as sentences:
            words, rows = vectors.train(sentences, options, seed)
        depends_on = check_consistent([snakemake.input.draw])
        vectors.save(
            output, words, rows, options.model_dump() | {"seed": seed}, language, depends_on
        )


main()
