"""All tables of a run, by kind."""

from collections.abc import Callable

import pandas as pd

from cr5.corpora import aligned
from cr5.counts import bags
from cr5.report.accuracies import of_directions, of_means, published
from cr5.report.by_accuracy import by_accuracy
from cr5.report.corpus import language_table, pair_table
from cr5.report.dictionaries import coverage_notes, dictionary_table
from cr5.report.examples import examples, titles_in
from cr5.report.notes import of_sentences, seeds_left_out
from cr5.report.reproduction_table import reproduction_table
from cr5.report.run_files import RunFiles
from cr5.report.systems import systems_table
from cr5.report.table import Table
from cr5.report.table1 import table1
from cr5.report.table2 import table2, without_examples
from cr5.scores.ranks import left_out, nearest
from cr5.tasks import tables

FRAMES = {"validation": "grids", "dimensions": "dimensions"}
"""Tables that are written as CSV alone, and the frame of `RunFiles` that each has."""


def table(run: RunFiles, kind: str, task: str) -> Table:
    """Lay out a table.

    Args:
        run: the files it is made from.
        kind: one of `KINDS`.
        task: its task, if it has one.
    """
    return KINDS[kind](run, task)


def _systems(run: RunFiles, task: str) -> Table:
    means, significance = run.frame("means"), run.frame("significance")
    more = seeds_left_out(run.told["seeded"], run.told["translated"], run.systems)
    return systems_table(means, significance, run.corpus, run.frame("left_out"), run.systems, more)


def _table1(run: RunFiles, task: str) -> Table:
    coverage = [tables.load(path)["coverage"] for path in run.of_task("tables", task)]
    bundles = map(aligned.about, run.of_task("aligned", task))
    more = [note for each in coverage for note in coverage_notes(each)]
    return table1(
        run.frame("scores"),
        run.corpus,
        task,
        run.told["unlike"][task],
        run.frame("left_out"),
        more=[*more, *of_sentences(bundles, run.told["languages"])],
        printed=run.told["printed"][task],
        significance=run.frame("significance"),
        systems=run.systems,
    )


def _dictionaries(run: RunFiles, task: str) -> Table:
    [path] = run.of_task("tables", task)
    name = "training" if task == run.told["learnt"] else task
    return dictionary_table(tables.load(path)["coverage"], run.corpus, name)


def _by_accuracy(run: RunFiles, task: str) -> Table:
    scores = run.frame("scores")
    is_classified = task in run.told["classified"]
    return by_accuracy(
        of_directions(scores) if is_classified else of_means(run.frame("means"), scores),
        run.frame("significance"),
        run.dimensions,
        run.corpus,
        task,
        published(run.reproduced, scores),
        run.frame("left_out"),
        run.systems,
    )


def _reproduction(run: RunFiles, task: str) -> Table:
    return reproduction_table(run.reproduced, run.corpus)


def _table2(run: RunFiles, task: str) -> Table:
    """Lay out some queries and what was found for them."""
    similarity, options = run.told["similarity"], run.told["examples"]
    [folder] = run.read["ranks"]
    if found := left_out(folder):
        return without_examples(run.corpus, found["reason"])
    ranks = nearest(folder, similarity)
    if ranks.empty:  # of a system that other measures compare
        return without_examples(run.corpus, f"no ranks by {similarity} of the system that is shown")
    titles, number = titles_in(run.titles, options.get("titles")), options["neighbours"]
    found = examples(ranks, titles, options["queries"], run.told["seed"], number)
    return table2(found, run.corpus, similarity, run.systems)


def _languages(run: RunFiles, task: str) -> Table:
    statistics = pd.DataFrame([bags.read_summary(folder) for folder in run.bags.values()])
    statistics["unique_words"] = [run.told["unique_words"]] * len(statistics)
    return language_table(statistics, run.corpus, run.paragraphs)


def _pairs(run: RunFiles, task: str) -> Table:
    return pair_table(run.pairs, run.corpus)


KINDS: dict[str, Callable[[RunFiles, str], Table]] = {
    "systems": _systems,
    "table1": _table1,
    "task": _table1,
    "dictionaries": _dictionaries,
    "by_accuracy": _by_accuracy,
    "reproduction": _reproduction,
    "table2": _table2,
    "languages": _languages,
    "pairs": _pairs,
}
