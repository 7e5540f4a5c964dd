"""Read a task's own files of language pairs with the vocabularies of the corpus."""

from pathlib import Path

from cr5.base.artefacts import Artefact
from cr5.base.catalogue import TASKS
from cr5.base.job import job
from cr5.counts import bags
from cr5.counts.rules import TokenRules, tokens_of
from cr5.tasks import texts
from cr5.texts import dictionaries

with job(snakemake) as (this_job, _):
    read, made_with = snakemake.input, snakemake.params.made_with
    languages, where = made_with["languages"], made_with["where"]
    pairs = list(map(tuple, made_with["pairs"]))
    task = TASKS.part(snakemake.wildcards.task, made_with["options"])
    folders = zip(languages, read.bags, strict=True)
    words = {language: bags.read_words(folder, language) for language, folder in folders}
    if made_with["is_elsewhere"]:
        folder = Artefact(read.files[0], "dictionaries").whole()
        files = dictionaries.find(dictionaries.fetched(where, str(folder)), pairs)
    elif dictionaries.names_pair(where):
        files = dict(zip(map(tuple, snakemake.params.pairs), map(Path, read.files), strict=True))
    else:
        files = dictionaries.find(where, pairs)
    tokens = tokens_of(TokenRules(**made_with["tokens"]), languages, read.stop_words)
    tables = task.tables(files, words, tokens)
    texts.save(snakemake.output[0], tables, this_job, **snakemake.wildcards)
