"""Make one language's bags of words from its counted parts."""

from cr5.base import console
from cr5.counts import bags
from cr5.counts.assembly import assemble


def main() -> None:
    """Choose the vocabulary over all parts, then write their documents as one matrix."""
    language = snakemake.wildcards.language
    with console.job(snakemake.log[0], f"bags {language}") as log:
        rules = bags.Rules(**snakemake.params.rules)
        given = bags.given_words(snakemake.input.vectors, language)
        summary = assemble(snakemake.input.counts, snakemake.output[0], rules, language, given)
        log.info("%s", summary)


main()
