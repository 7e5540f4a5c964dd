"""Choose the training documents of one setting."""

import pandas as pd

from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.counts import bags
from cr5.splits.drawn import Draw
from cr5.splits.options import Cut, Sizes
from cr5.splits.settings import NO_TRAINING, save, sizes_by_pair, training


@job
def main(log) -> None:
    """Choose them, and count the concepts that each pair of languages shares."""
    params, keys = snakemake.params, snakemake.params.names
    documents = {
        language: pd.Index(bags.read_documents(folder, language, ["concept"])["concept"])
        for language, folder in zip(params.languages, snakemake.input.bags, strict=True)
    }
    drawn, cut = Draw.load(snakemake.input.draw), params.cut and Cut(**params.cut)
    sizes, left_out = Sizes(**params.sizes), None
    chosen = documents, drawn, sizes, keys["setting"], params.pairs, cut, params.seed
    try:
        trained = training(*chosen)
    except LeftOutError as error:
        trained, left_out = NO_TRAINING, str(error)
        log.warning("left out: %s", left_out)
    pairs = sizes_by_pair(trained, documents, drawn, params.pairs)
    log.info("\n%s", pairs.to_string(index=False))
    save(snakemake.output[0], trained, pairs.assign(**keys), left_out, **snakemake.wildcards)


if __name__ == "__main__":
    main(snakemake)
