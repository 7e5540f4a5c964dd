"""Rank the queries of one task by one fitted system, in all directions."""

from cr5.base import console
from cr5.base.modules import load_module
from cr5.counts import bags
from cr5.models import store
from cr5.scores import ranks
from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.tasks.base import Data, rank_all


def main() -> None:
    """Write a row per answer, and a row per query."""
    params, read = snakemake.params, snakemake.input
    with console.job(snakemake.log[0], " ".join(["rank", *snakemake.wildcards])) as log:
        data = Data(
            {x: bags.load(folder) for x, folder in zip(params.languages, read.bags, strict=True)},
            Draw.load(read.draw),
            {x: texts.load(f) for x, f in zip(params.languages, read.data, strict=False)},
        )
        task = load_module(params.task, "searches")
        searches = task.searches(data, params.languages, params.options)
        model = store.load(read.model)
        found = rank_all(searches, model, threads=snakemake.threads, **params.search)
        for each in ranks.write(snakemake.output[0], params.names, found):
            log.info("%s", each.summary())


main()
