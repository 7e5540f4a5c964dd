"""Count the texts of a task's own files with the vocabulary of one language."""

from cr5.base import console
from cr5.base.artefacts import check_consistent
from cr5.base.parts import TASKS
from cr5.counts import bags
from cr5.counts.rules import TokenRules, tokens_of
from cr5.tasks import texts


def main() -> None:
    """Write the counts."""
    language, params = snakemake.wildcards.language, snakemake.params
    with console.job(snakemake.log[0], " ".join(["task", *snakemake.wildcards])):
        task = TASKS.part(params.name, params.options)
        words = bags.read_words(snakemake.input.bags, language)
        files = {x: y for x, y in snakemake.input.items() if x != "bags"}
        found = task.records(files, language)
        subject, depends_on = dict(snakemake.wildcards), check_consistent([snakemake.input.bags])
        tokens = tokens_of(TokenRules(**params.tokens), [language])
        counted = texts.count(found, language, words, tokens)
        texts.save(snakemake.output[0], counted, subject, depends_on)


main()
