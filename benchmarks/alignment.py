"""One-to-one alignment of a finished run's queries with its candidates: precision, recall, F1.

    ./run --configfile config/examples/better.yaml
    .venv/bin/python -m benchmarks.alignment results/better best

Of each direction, the queries are aligned as `cr5 align` does, by CSLS among the candidates. Pairs
count from a confidence on that has the highest F1 of the validation queries, as thresholds of BUCC
(Zweigenbaum et al. 2017) are chosen. One-to-one pairs depend on all queries (transductive): the
share of queries that CSLS alone finds first stands beside them.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from cr5.counts import bags
from cr5.models import store
from cr5.retrieval.alignment import CANDIDATES, one_to_one
from cr5.splits.drawn import Draw
from cr5.tasks.base import Data
from cr5.tasks.documents import searches
from cr5.tasks.ranking import rank_all


def main() -> None:
    """Print a row per draw, and their mean."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("system")
    options = parser.parse_args()
    rows = []
    for folder in sorted((options.run / "draws").iterdir(), key=lambda path: int(path.name)):
        model = store.load(options.run / "models" / "joint" / options.system / folder.name)
        counted = {x: bags.load(options.run / "bags" / x, x) for x in model.words}
        counted = {x: each.select(model.words[x]) for x, each in counted.items()}
        data = Data(counted, Draw.load(folder))
        found = {x: aligned(model, data, x) for x in ("validation", "test")}
        least = best_threshold(*found["validation"][:2])
        pairs, n, first = found["test"]
        rows.append({"CSLS": first, **scores(pairs, n, 0.0), "least": least})
        rows[-1] |= {f"{x} from there": y for x, y in scores(pairs, n, least).items()}
    table = pd.DataFrame(rows)
    print(pd.concat([table, table.mean().to_frame("mean").T]).round(3).to_string())


def aligned(model, data: Data, role: str) -> tuple[pd.DataFrame, int, float]:
    """Confidence of each pair and whether it is right; number of queries; Success@1 by CSLS."""
    frames, n, hits = [], 0, 0
    every = searches(data, sorted(model.words), {}, role)
    for found in rank_all(every, model, ["csls"], run_depth=CANDIDATES):
        run = found.run
        numbers = [pd.factorize(run[side]) for side in ("query", "candidate")]
        pairs = one_to_one(numbers[0][0], numbers[1][0], run["score"].to_numpy(np.float64))
        names = [(numbers[0][1][pair.first], numbers[1][1][pair.second]) for pair in pairs]
        right = [first == second for first, second in names]
        frames.append(pd.DataFrame({"confidence": [x.confidence for x in pairs], "right": right}))
        n, hits = n + len(found.queries), hits + int((found.answers["rank"] == 1).sum())
    return pd.concat(frames), n, hits / n


def scores(pairs: pd.DataFrame, n: int, least: float) -> dict[str, float]:
    """Precision, recall and F1 of the pairs from a confidence on; n are to be found."""
    kept = pairs[pairs["confidence"] >= least]
    right = kept["right"].sum()
    return {
        "precision": right / max(len(kept), 1),
        "recall": right / n,
        "F1": 2 * right / (len(kept) + n),
    }


def best_threshold(pairs: pd.DataFrame, n: int) -> float:
    """The confidence from which on F1 is highest."""
    return max(pairs["confidence"].unique(), key=lambda least: scores(pairs, n, least)["F1"])


if __name__ == "__main__":
    main()
