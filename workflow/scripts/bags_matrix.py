"""Make bags from one language's documents that are already weights of numbered words."""

from itertools import chain

from cr5.base.catalogue import SOURCES
from cr5.base.job import job
from cr5.counts import bags, documents
from cr5.counts.rules import Rules
from cr5.texts.sources import matrix

with job(snakemake) as (this_job, log):
    language, written = snakemake.wildcards.language, snakemake.output
    made_with = snakemake.params.made_with
    source = SOURCES.part("corpus", made_with["corpus"])
    files = zip(source.files(language), snakemake.input, strict=True)
    read = chain.from_iterable(matrix.documents(prefix, path) for prefix, path in files)
    rules = Rules(**made_with["rules"])
    prefix = source.prefix_of(language)
    built, summary = bags.weighted(read, rules, language, prefix, written.bags, this_job)
    log.info("%s", summary)
    # there is no text, so only names are kept
    names = built.documents[["concept", "title"]].itertuples(index=False, name=None)
    without_text = ((*each, "") for each in names)
    documents.write(written.documents, without_text, language, job=this_job)
