"""Read a task's own files of language pairs with the vocabularies of the corpus."""

from cr5.base.artefacts import Artefact
from cr5.base.job import job
from cr5.base.parts import TASKS
from cr5.counts import bags
from cr5.counts.rules import TokenRules, tokens_of
from cr5.tasks import tables
from cr5.texts import dictionaries


@job
def main(log) -> None:
    """Write the task's tables."""
    read, params = snakemake.input, snakemake.params
    task = TASKS.part(snakemake.wildcards.task, params.options)
    words = {
        language: bags.read_words(folder, language)
        for language, folder in zip(params.languages, read.bags, strict=True)
    }
    if params.are_fetched:
        Artefact(read.files[0], "dictionaries").whole()
    files = dictionaries.find(params.where, map(tuple, params.pairs))
    tokens = tokens_of(TokenRules(**params.tokens), params.languages)
    tables.save(snakemake.output[0], task.tables(files, words, tokens), **snakemake.wildcards)


if __name__ == "__main__":
    main(snakemake)
