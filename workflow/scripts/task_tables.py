"""Read a task's own files of language pairs with the vocabularies of the corpus."""

from cr5.base.artefacts import Artefact
from cr5.base.catalogue import TASKS
from cr5.base.job import job
from cr5.counts import bags
from cr5.counts.rules import TokenRules, tokens_of
from cr5.tasks import texts
from cr5.texts import dictionaries

with job(snakemake):
    read, made_with = snakemake.input, snakemake.params.made_with
    languages, where = made_with["languages"], made_with["where"]
    task = TASKS.part(snakemake.wildcards.task, made_with["options"])
    folders = zip(languages, read.bags, strict=True)
    words = {language: bags.read_words(folder, language) for language, folder in folders}
    if made_with["is_elsewhere"]:
        folder = Artefact(read.files[0], "dictionaries").whole()
        where = dictionaries.fetched(where, str(folder))
    files = dictionaries.find(where, map(tuple, made_with["pairs"]))
    tokens = tokens_of(TokenRules(**made_with["tokens"]), languages)
    texts.save(snakemake.output[0], task.tables(files, words, tokens), **snakemake.wildcards)
