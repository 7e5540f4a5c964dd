"""Cost of a Cr5 fit as documents, vocabulary, languages, rank and nonzeros grow.

    .venv/bin/python -m benchmarks.growth     # writes benchmarks/growth.csv and growth.svg

One thing grows at a time, from a corpus of 4 languages with 5,000 documents each.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from benchmarks import synthetic
from benchmarks.measure import measured
from cr5.systems import reduced_rank

BASE = {"documents": 5_000, "vocabulary": 10_000, "languages": 4, "rank": 100, "nonzeros": 60}
GROWTH = {
    "documents": (1_250, 2_500, 5_000, 10_000, 20_000),
    "vocabulary": (2_500, 5_000, 10_000, 20_000, 40_000),
    "languages": (2, 4, 8, 16, 28),
    "rank": (25, 50, 100, 200, 400),
    "nonzeros": (30, 60, 120, 240),
}
SCALED = ("documents", "vocabulary", "rank")
CONCEPTS = 1.25  # for each document of a language: not all concepts have all languages
RIDGE = 1.0
LABELS = {
    "documents": "documents per language",
    "vocabulary": "words per language",
    "languages": "languages",
    "rank": "rank r",
    "nonzeros": "distinct words per document",
}
STYLE = {
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "0.92",
    "legend.frameon": False,
    "svg.hashsalt": "cr5",
    "svg.fonttype": "none",
}


def cases(part: float = 1.0) -> Iterator[tuple[str, dict[str, int]]]:
    """What grows, and the shape of the problem, documents, words and rank times `part`."""
    for grows, values in GROWTH.items():
        for value in values:
            shape = BASE | {grows: value}
            yield grows, shape | {x: round(part * shape[x]) for x in SCALED}


def fit(shape: dict[str, int], threads: int) -> dict[str, float]:
    """Fit once; what it took and how good it is."""
    names = [f"l{number:02}" for number in range(shape["languages"])]
    n_concepts = round(CONCEPTS * shape["documents"])
    features, concepts = synthetic.corpus(
        dict.fromkeys(names, shape["documents"]),
        n_concepts,
        shape["vocabulary"],
        shape["nonzeros"],
    )

    def run() -> reduced_rank.Solution:
        return next(
            reduced_rank.fit(
                features,
                concepts,
                n_concepts,
                shape["rank"],
                [RIDGE],
                solver="iterative",
                tolerance="paper",
                threads=threads,
            )
        )

    solution, cost = measured(run)
    return {
        "concepts": n_concepts,
        "all_nonzeros": sum(X.nnz for X in features),
        "cpu_seconds": round(cost.cpu, 2),
        "wall_seconds": round(cost.wall, 2),
        "memory_mib": round(cost.memory),
        "load": round(cost.load, 1),
        "iterations": solution.iterations,
        "converged": solution.converged,
        "largest_residual": round(solution.facts["residual_max"], 4),
        "eigenvalue_sum": round(sum(solution.facts["eigenvalues"]), 2),
    }


def exponent(part: pd.DataFrame, grows: str, cost: str) -> float:
    """The power of the growing thing that the cost follows: slope of a line in logarithms."""
    return float(np.polyfit(np.log(part[grows]), np.log(part[cost]), 1)[0])


def draw(table: pd.DataFrame) -> Figure:
    """CPU time and memory, a panel for each thing that grows, with proportional growth in grey."""
    with matplotlib.rc_context(STYLE):
        figure = Figure((9.5, 4.2), layout="constrained")
        panels = figure.subplots(2, len(GROWTH), sharey="row", sharex="col")
        for (grows, part), column in zip(table.groupby("grows", sort=False), panels.T, strict=True):
            x, base = part[grows], table.loc[table["grows"] != grows, grows].iloc[0]
            for axes, cost in zip(column, ("cpu_seconds", "memory_mib"), strict=True):
                proportional = part.loc[x == base, cost].item() * x / base
                axes.plot(x, proportional, color="0.8", label="in proportion")
                axes.plot(x, part[cost], "o-", color="#0072B2", markersize=3.5)
                axes.set(xscale="log", yscale="log")
                axes.set_title(f"~ {grows} ^ {exponent(part, grows, cost):z.1f}", fontsize=8)
            axes.set_xticks(x, [f"{value:,}" for value in x], rotation=30)
            axes.minorticks_off()
            axes.set_xlabel(LABELS[grows])
        panels[0, 0].legend(fontsize=7)
        panels[0, 0].set_ylabel("CPU seconds of a fit")
        panels[1, 0].set_ylabel("memory, MiB\n(above the features)")
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a picture that is the same whenever it is drawn."""
    with matplotlib.rc_context(STYLE):
        figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """Fit all shapes, write the table and the figure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent)
    parser.add_argument("--part", type=float, default=1.0, help="of documents, words and rank")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    fit(next(cases(0.1))[1], options.threads)  # warm up
    fits, rows = {}, []
    for grows, shape in cases(options.part):
        key = tuple(shape.values())  # the common start is fitted once
        if key not in fits:
            fits[key] = fit(shape, options.threads)
            print(shape, fits[key], flush=True)
        rows.append({"grows": grows, **shape, **fits[key]})
    table = pd.DataFrame(rows)
    table.to_csv(options.folder / "growth.csv", index=False)
    save(draw(table), options.folder / "growth.svg")


if __name__ == "__main__":
    main()
