"""Make aligned sentences from parallel files, or from the corpus's own paragraphs."""

from cr5.base.job import job
from cr5.texts import aligned
from cr5.texts.parallel import Place

with job(snakemake) as (this_job, log):
    made_with, options = snakemake.params.made_with, snakemake.params.made_with["options"]
    named = zip(made_with["places"].items(), snakemake.input, strict=True)
    places = {language: Place(file, member) for (language, member), file in named}
    if made_with["of_corpus"]:
        table = aligned.of_paragraphs({x: y.file for x, y in places.items()})
        table, pairs = aligned.cleaned(table, options["min_words"], False)
    else:
        table, pairs = aligned.of_files(places, options, made_with["seed"])
    names = snakemake.wildcards
    about = {"task": names.task, "name": names.bundle, "languages": list(places), "pairs": pairs}
    about |= {"of_corpus": made_with["of_corpus"], "min_words": options["min_words"]}
    aligned.save(snakemake.output[0], table, about, this_job)
    log.info("%s", about)
