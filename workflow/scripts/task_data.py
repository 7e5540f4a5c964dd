"""Count the texts of a task's own files with the vocabulary of one language."""

from cr5.base.catalogue import TASKS
from cr5.base.job import job
from cr5.counts import bags
from cr5.counts.rules import TokenRules, tokens_of
from cr5.tasks import texts

with job(snakemake) as (this_job, _):
    language, made_with = snakemake.wildcards.language, snakemake.params.made_with
    task = TASKS.part(snakemake.wildcards.task, made_with["options"])
    words = bags.read_words(snakemake.input.bags, language)
    files = {x: y for x, y in snakemake.input.items() if x not in ("bags", "stop_words")}
    rules, stop_words = TokenRules(**made_with["tokens"]), snakemake.input.stop_words
    tokens = tokens_of(rules, [language], stop_words)
    counted = texts.count(task.records(files, language), language, words, tokens)
    texts.save(snakemake.output[0], counted, this_job, **snakemake.wildcards)
