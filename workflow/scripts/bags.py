"""Make bags of words from the documents of one language."""

from cr5.base import console
from cr5.counts import bags, documents
from cr5.counts.token_rules import tokens_of


def main() -> None:
    """Tokenise, count, choose the vocabulary, filter the documents."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"bags {language}") as log:
        rules = bags.Rules(**snakemake.params.rules)
        tokens = tokens_of(rules, [language])
        records = (
            (concept, title, tokens(text, language))
            for concept, title, text in documents.stream(
                snakemake.input.documents, language=language
            )
        )
        given = bags.given_words(snakemake.input.vectors, language)
        built, summary = bags.build(records, rules, language, given)
        bags.save(snakemake.output[0], built, summary)
        log.info("%s", summary)


main()
