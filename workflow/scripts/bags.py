"""Make bags of words from the documents of one language."""

from pathlib import Path
from tempfile import TemporaryDirectory

from cr5.base import console
from cr5.counts import bags, documents
from cr5.counts.counting import Pieces
from cr5.counts.rules import tokens_of


def main() -> None:
    """Tokenise, count, choose the vocabulary, filter the documents."""
    language, path = snakemake.wildcards.language, Path(snakemake.input.documents)
    with (
        console.job(snakemake.log[0], f"bags {language}") as log,
        TemporaryDirectory(dir=path.parent, prefix=f"{language}.counted.") as scratch,
    ):
        rules = bags.Rules(**snakemake.params.rules)
        names = documents.names(path, language=language)
        tokens = tokens_of(rules, [language])
        pieces = Pieces(path, language, tokens, Path(scratch), snakemake.threads)
        given = bags.given_words(snakemake.input.vectors, language)
        chosen = bags.choose(pieces, rules, language, given)
        with bags.making(snakemake.output[0], language) as (folder, add):
            built, summary = bags.build(pieces, names, chosen, rules, language, folder)
            add(built, summary)
        log.info("%s", summary)


main()
