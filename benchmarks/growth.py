"""How the cost of a fit, of ranking and of an index grows: a figure with the slopes of the lines.

.venv/bin/python -m benchmarks.growth docs/growth.png            # a quarter of an hour
.venv/bin/python -m benchmarks.growth growth.png --largest 2     # the two smallest sizes of each

CPU-seconds, on one thread, of made-up documents: Cr5 of rank 300 (a fit of one ridge), cosine and
CSLS of 2,000 queries, an index of texts of 20 words. What does not grow has the sizes of `BASE`.
"""

import argparse
from collections.abc import Callable, Sequence
from multiprocessing import get_context

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import cr5
from benchmarks import index_search, ranking, synthetic
from benchmarks.measure import Cost, measured
from cr5.report.canvas import COLOURS, MARKERS, styled
from cr5.systems.algebra.threads import Threads
from cr5.systems.ridge.iterative_solver import Iterative
from cr5.systems.ridge.problem import Problem

RANK = 300
QUERIES = 2_000
DIFFERENT_WORDS = 120  # of a document
BASE = {"languages": 2, "documents": 8_000, "words": 10_000}
SIZES = {
    "documents": (4_000, 8_000, 16_000, 32_000, 64_000),  # of each language
    "words": (5_000, 10_000, 20_000, 40_000),  # of each language
    "languages": (2, 4, 8, 16),
}
COLUMNS = ("axis", "size", "what", "seconds", "memory")
SHOWN = {"seconds": "CPU-seconds", "memory": "MiB beside the documents"}


def fit(languages: int, documents: int, words: int) -> Callable[[], object]:
    """Return a fit of so many languages, each with so many documents and words."""
    features, concepts = synthetic.cached(
        languages={f"{number:02}": documents for number in range(languages)},
        n_concepts=round(1.25 * documents),  # not all of them have all languages
        vocabulary=words,
        nonzeros=DIFFERENT_WORDS,
    )
    problem = Problem(features, concepts, round(1.25 * documents))
    Iterative(problem, 2, Threads(1)).solve(1.0)  # compiles

    def solve() -> object:
        solution = Iterative(problem, RANK, Threads(1)).solve(1.0)
        return solution.maps(solution.rank)

    return solve


def rank(languages: int, documents: int, words: int) -> Callable[[], object]:
    """Return a ranking of one direction, among so many documents."""
    generator = np.random.default_rng(0)
    candidates = ranking.documents(documents, RANK, generator)
    queries = ranking.counterparts(candidates, QUERIES, generator)
    ranking.ranks(queries[:300], candidates, queries)  # compiles
    return lambda: ranking.ranks(queries, candidates, queries)


def index(languages: int, documents: int, words: int) -> Callable[[], object]:
    """Return the building of an index of so many short texts."""
    model = index_search.made_up_model(RANK)
    texts = index_search.texts(documents, 0, 20)
    return lambda: cr5.Index(model).add(range(documents), texts, "it")


# What depends on which size.
WORK = {
    "fit": (fit, ("documents", "words", "languages")),
    "rank": (rank, ("documents",)),
    "index": (index, ("documents",)),
}


def costs(largest: int) -> pd.DataFrame:
    """Measure each kind of work at the smallest sizes of each axis, so many."""
    rows = []
    processes = get_context("spawn").Pool(1, maxtasksperchild=1)  # none has memory of another's
    with processes:
        for name, (_, axes) in WORK.items():
            for axis in axes:
                for size in SIZES[axis][:largest]:
                    cost = processes.apply(cost_of, (name, axis, size))
                    print(f"{name:<6} {size:>7,} {axis:<10} {cost}", flush=True)
                    rows.append((axis, size, name, cost.cpu, max(cost.memory, 1.0)))
    return pd.DataFrame(rows, columns=COLUMNS)


def cost_of(name: str, axis: str, size: int) -> Cost:
    """Measure one kind of work, where one of the sizes of `BASE` is another."""
    work, _ = WORK[name]
    prepared = work(**BASE | {axis: size})
    _, cost = measured(prepared)
    return cost


def slope(sizes: Sequence[float], costs_of_sizes: Sequence[float]) -> float:
    """Return the power of the size with which a cost grows, by least squares of logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(costs_of_sizes), 1)[0])


def draw(table: pd.DataFrame, path: str) -> None:
    """Draw seconds above memory, a column for each axis, all logarithmic, and write the figure."""
    with styled():
        figure = Figure(figsize=(7.2, 4.6), layout="constrained")
        panels = figure.subplots(len(SHOWN), len(SIZES), sharex="col", sharey="row")
        for row, (column, label) in zip(panels, SHOWN.items(), strict=True):
            row[0].set_ylabel(label)
            for panel, axis in zip(row, SIZES, strict=True):
                _draw_panel(panel, table[table["axis"] == axis], column)
        for panel, axis in zip(panels[-1], SIZES, strict=True):
            panel.set_xlabel(axis if axis == "languages" else f"{axis} of each language")
            panel.set_xticks(SIZES[axis], [f"{size:,}" for size in SIZES[axis]], rotation=30)
        figure.savefig(path)


def _draw_panel(panel: Axes, table: pd.DataFrame, column: str) -> None:
    """Draw a line for each kind of work, with the power in the legend."""
    for number, name in enumerate(WORK):
        rows = table[table["what"] == name]
        if not len(rows):
            continue
        power = slope(rows["size"], rows[column])
        style = {"color": COLOURS[number], "marker": MARKERS[number]}
        panel.loglog(rows["size"], rows[column], label=f"{name}: power {power:.1f}", **style)
    panel.yaxis.set_major_formatter("{x:,g}")
    panel.minorticks_off()
    panel.margins(0.1, 0.3)  # below the legend
    panel.legend(handlelength=1.5, loc="upper left")


def main() -> None:
    """Measure, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("figure", help="where it is written: .png, .svg or .pdf")
    parser.add_argument("--largest", type=int, default=5, help="how many sizes of each axis")
    options = parser.parse_args()
    draw(costs(options.largest), options.figure)


if __name__ == "__main__":
    main()
