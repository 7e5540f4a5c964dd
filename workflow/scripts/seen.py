"""Look for test and validation texts among text of other files that trains.

Channels that have some are warned of; parallel sentences must have none.
"""

from cr5.base.catalogue import TASKS
from cr5.base.job import job
from cr5.counts import documents
from cr5.splits.draw import Draw
from cr5.splits.seen import check_sentences, folded, held_back, save, seen
from cr5.tasks.ad_hoc import AdHoc
from cr5.texts import aligned

with job(snakemake) as log:
    made_with, read = snakemake.params.made_with, snakemake.input
    held_out = frozenset().union(*(Draw.load(folder).held_out() for folder in read.draws))
    tests = {language: set() for language in made_with["languages"]}
    for language, path in zip(made_with["languages"], read.documents, strict=False):
        rows = documents.stream(path, ("concept", "text"), language=language)
        tests[language] |= {folded(text) for concept, text in rows if concept in held_out}
    asked = zip(made_with["tests"], snakemake.params.files, strict=True)
    for (task, options, language), files in asked:
        records = TASKS.part(task, options).records(files, language)
        tests[language] |= {folded(text) for text in held_back(records, held_out)}
    for folder in read.sentences:
        check_sentences(aligned.table(folder), tests)
    warnings = []
    for language, files in made_with["channels"].items():
        found = AdHoc().records(files, language).values()
        if said := seen((text for each in found for _, text in each), tests[language]):
            warnings.append(
                f"channels: {said} in {language} are searched or asked for in tests, or validate: "
                "systems that learn from them have seen what they are tested on"
            )
            log.warning("%s", warnings[-1])
    save(snakemake.output[0], warnings)
