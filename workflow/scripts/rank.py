"""Rank the queries of one task with one fitted system, in all directions."""

from itertools import zip_longest
from pathlib import Path

from cr5.base.catalogue import TASKS, load_module
from cr5.base.errors import LeftOutError
from cr5.base.job import job
from cr5.counts import bags
from cr5.models import store
from cr5.models.encoders.kept import ENCODED
from cr5.scores import ranks
from cr5.search.options import SearchOptions
from cr5.splits.draw import Draw
from cr5.tasks import texts
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all


def found(model):
    """Yield the ranks of each search of the task."""
    languages = made_with["languages"]
    folders = zip_longest(languages, read.bags, read.texts)
    of_task = zip(languages, read.data, strict=False)
    data = Data.of_model(
        model,
        ((x, bags.load(folder, x, file)) for x, folder, file in folders),
        drawn=Draw.load(read.draw),
        texts={x: texts.load(folder, language=x) for x, folder in of_task},
        tables=texts.load(read.tables, task=names["task"]) if read.tables else {},
        pairs=made_with["pairs"],
        elsewhere=elsewhere(),
        seed=made_with["seed"],
    )
    task = TASKS.part(names["task"], made_with["options"])
    how = SearchOptions(**made_with["search"])
    searches = task.searches(data, languages, "test")
    return rank_all(searches, model, how.measures, how, snakemake.threads)


def elsewhere():
    """Return the ids of the task's own texts in languages that the setting lacks, by name."""
    ids = {}
    for folder in read.others:
        for name, found in texts.ids(folder, task=names["task"]).items():
            ids.setdefault(name, set()).update(found)
    return ids


with job(snakemake) as (this_job, log):
    made_with, read, output = snakemake.params.made_with, snakemake.input, snakemake.output[0]
    names = dict(snakemake.wildcards)
    keys = {**names, "repetition": int(names["repetition"])}
    keys |= {x: made_with[x] for x in ("series", "kind")}
    try:
        module = made_with["module"]
        classes = store.classes_in(load_module(Path(module))) if module else ()
        of_model = {x: y for x, y in names.items() if x != "task"}
        model = store.load(read.model, classes, **of_model)
        model = model.keeping_rows(Path(snakemake.config["results"], ENCODED))
        for each in ranks.write(output, keys, found(model), this_job):
            hits = each.answers.loc[each.answers["rank"] == 1, "query"].nunique()
            share = hits / len(each.queries)
            log.info("%s-%s %s: Success@1 %.3f", each.query, each.target, each.similarity, share)
        for said in ranks.told(output):
            log.warning("%s", said)
    except LeftOutError as error:
        ranks.leave_out(output, keys, str(error), this_job)
        log.warning("left out: %s", error)
