"""Draw queries and candidates of one repetition, for all settings."""

from cr5.base.errors import UserError
from cr5.base.job import job
from cr5.counts import bags
from cr5.splits.draw import draw
from cr5.splits.options import Sizes

with job(snakemake) as log:
    made_with = snakemake.params.made_with
    sizes = Sizes(**made_with["splits"])
    documents = {
        language: bags.read_documents(folder, language, ["concept", "n_unique"])
        for language, folder in zip(made_with["languages"], snakemake.input.bags, strict=True)
    }
    pairs = made_with["pairs"]
    drawn = draw(documents, pairs, sizes, made_with["seed"])
    if reason := drawn.lacking(pairs, sizes):
        raise UserError(f"In the whole corpus {reason}")
    log.info("\n%s", drawn.pairs.to_string(index=False))
    drawn.save(snakemake.output[0])
