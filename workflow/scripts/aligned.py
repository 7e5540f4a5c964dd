"""Make aligned sentences from parallel files, or from the corpus's own paragraphs."""

from cr5.base.job import job
from cr5.texts import aligned
from cr5.texts.parallel import Place


@job
def main(log) -> None:
    """Write the sentences, and what was left out."""
    params, options = snakemake.params, snakemake.params.options
    places = {language: Place(*place) for language, place in params.places.items()}
    if params.of_corpus:
        table = aligned.of_paragraphs({x: y.file for x, y in places.items()})
        table, pairs = aligned.cleaned(table, options["min_words"], False)
    else:
        table, pairs = aligned.of_files(places, options, params.seed)
    about = {"name": snakemake.wildcards.bundle, "languages": list(places), "pairs": pairs}
    about |= {"of_corpus": params.of_corpus, "min_words": options["min_words"]}
    aligned.save(snakemake.output[0], table, about)
    log.info("%s", about)


if __name__ == "__main__":
    main(snakemake)
