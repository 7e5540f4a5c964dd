"""Read a task's own files of language pairs with the vocabularies of the corpus."""

from cr5.base import console
from cr5.base.artefacts import check_consistent
from cr5.base.parts import TASKS
from cr5.corpora import dictionaries
from cr5.counts import bags
from cr5.counts.rules import TokenRules, tokens_of
from cr5.tasks import tables


def main() -> None:
    """Write the task's tables."""
    read, params = snakemake.input, snakemake.params
    with console.job(snakemake.log[0], " ".join(["tables", *snakemake.wildcards])):
        task = TASKS.part(snakemake.wildcards.task, params.options)
        words = {
            language: bags.read_words(folder, language)
            for language, folder in zip(params.languages, read.bags, strict=True)
        }
        files = dictionaries.find(params.where, map(tuple, params.pairs))
        tokens = tokens_of(TokenRules(**params.tokens), params.languages)
        made = task.tables(files, words, tokens)
        tables.save(
            snakemake.output[0], made, dict(snakemake.wildcards), check_consistent(read.bags)
        )


main()
