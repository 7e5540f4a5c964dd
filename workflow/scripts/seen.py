"""Look for test and validation texts among documents and text of other files that trains.

Documents and channels that have some are warned of; parallel sentences must have none.
"""

import pandas as pd

from cr5.base.catalogue import TASKS
from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.counts import bags
from cr5.splits import copies
from cr5.splits.draw import Draw
from cr5.splits.options import Sizes
from cr5.splits.seen import check_sentences, save, seen, texts_of_tests
from cr5.splits.training_documents import NO_TRAINING, training
from cr5.tasks.ad_hoc import AdHoc
from cr5.texts import aligned


def trained_documents(drawn, settings):
    """Return the documents that train together in all languages: the most that can."""
    concepts = {language: pd.Index(table["concept"]) for language, table in kept.items()}
    try:
        return training(concepts, drawn, Sizes(**settings["splits"]), settings["pairs"])
    except LeftOutError:
        return NO_TRAINING


def texts_of_documents():
    """Yield the folded texts of each language."""
    for language, folder in zip(kept, read.documents, strict=False):
        yield language, copies.read_folded(folder, kept[language], language)


with job(snakemake) as (this_job, log):
    made_with, read = snakemake.params.made_with, snakemake.input
    kept = {
        language: bags.read_documents(folder, language, ["concept", "n_tokens"])
        for language, folder in zip(made_with["languages"], read.bags, strict=True)
    }
    draws = [Draw.load(folder) for folder in read.draws]
    settings = made_with["draws"]
    trained = [trained_documents(*of_draw) for of_draw in zip(draws, settings, strict=True)]
    copies_of_draws, queries = copies.find(texts_of_documents(), draws, trained)
    warnings = copies.tell(draws, copies_of_draws, queries)
    tests = {language: set(texts["text"]) for language, texts in queries.items()}
    held_out = frozenset().union(*(drawn.held_out() for drawn in draws))
    asked = zip(made_with["tests"], snakemake.params.files, strict=True)
    for (task, options, language), files in asked:
        texts = texts_of_tests(TASKS.part(task, options), files, language, held_out)
        tests.setdefault(language, set()).update(map(copies.folded, texts))
    for folder in read.sentences:
        check_sentences(aligned.table(folder), tests)
    for language, files in made_with["channels"].items():
        records = AdHoc().records(files, language).values()
        texts = (text for of_file in records for _, text in of_file)
        known = seen(texts, tests.get(language, ()))
        if known:
            warnings.append(
                f"channels: {known} in {language} are searched or asked for in tests, or validate: "
                "systems that learn from them have seen what they are tested on"
            )
    for warning in warnings:
        log.warning("%s", warning)
    save(snakemake.output[0], warnings, this_job)
