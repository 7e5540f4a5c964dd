"""Make bags of words from the documents of one language."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from cr5.base.job import job
from cr5.counts import bags, documents
from cr5.counts.counting import Pieces
from cr5.counts.rules import tokens_of

NAMES = ["concept", "title"]

with job(snakemake) as (this_job, log):
    language, path = snakemake.wildcards.language, Path(snakemake.input.documents)
    rules = bags.Rules(**snakemake.params.made_with["rules"])
    titles = documents.stream(path, NAMES, language=language)  # which checks the file
    names = pd.DataFrame(titles, columns=NAMES)
    tokens = tokens_of(rules, [language], snakemake.input.stop_words)
    with TemporaryDirectory(dir=path.parent, prefix=f"{language}.counted.") as scratch:
        file, counted = path / documents.FILE, Path(scratch)
        pieces = Pieces(file, language, tokens, counted, snakemake.threads)
        given = bags.given_words(snakemake.input.vectors, language)
        output = snakemake.output[0]
        _, summary = bags.build(pieces, names, rules, language, output, given, job=this_job)
    log.info("%s", summary)
