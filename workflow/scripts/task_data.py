"""Count the texts of a task's own files with the vocabulary of one language."""

from cr5.base import console
from cr5.base.artefacts import check_consistent
from cr5.base.modules import load_module
from cr5.counts import bags
from cr5.counts.token_rules import TokenRules, tokens_of
from cr5.tasks import texts


def main() -> None:
    """Write the counts."""
    language, options = snakemake.wildcards.language, snakemake.params.options
    with console.job(snakemake.log[0], " ".join(["task", *snakemake.wildcards])):
        task = load_module(snakemake.params.task, "records")
        words = bags.read_words(snakemake.input.bags, language)
        files = {name: snakemake.input.get(name) for name in task.FILES}
        found = task.records(files, options, language)
        subject, depends_on = dict(snakemake.wildcards), check_consistent([snakemake.input.bags])
        tokens = tokens_of(TokenRules(**snakemake.params.tokens), [language])
        counted = texts.count(found, language, words, tokens)
        texts.save(snakemake.output[0], counted, subject, depends_on)


main()
