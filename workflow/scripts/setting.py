"""Choose the training documents of one setting, and count what each pair of languages shares."""

import pandas as pd

from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.counts import bags
from cr5.splits.draw import Draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.training_documents import NO_TRAINING, save, sizes_by_pair, training

with job(snakemake) as (this_job, log):
    made_with, names = snakemake.params.made_with, snakemake.wildcards
    documents = {
        language: pd.Index(bags.read_documents(folder, language, ["concept"])["concept"])
        for language, folder in zip(made_with["languages"], snakemake.input.bags, strict=True)
    }
    drawn, left_out = Draw.load(snakemake.input.draw), None
    sizes, cut = Sizes(**made_with["splits"]), made_with["cut"] and Cut(**made_with["cut"])
    pairs = made_with["pairs"]
    try:
        trained = training(documents, drawn, sizes, pairs, cut, made_with["seed"])
    except LeftOutError as error:
        trained, left_out = NO_TRAINING, str(error)
        log.warning("left out: %s", left_out)
    shared = sizes_by_pair(trained, documents, drawn, pairs)
    log.info("\n%s", shared.to_string(index=False))
    of = {"setting": names.setting, "series": made_with["series"], "kind": made_with["kind"]}
    of["repetition"] = int(names.repetition)
    save(snakemake.output[0], trained, shared.assign(**of), left_out, this_job, **names)
