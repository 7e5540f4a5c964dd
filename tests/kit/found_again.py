"""What an index finds among the test documents of a run, against what the evaluation found."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import cr5
from cr5.search.measures import measure

ROUNDING = 5e-7  # the evaluation's float32 scores are off by up to 2e-7, csls by twice that
KEYS = ["query_language", "target_language", "similarity"]


@dataclass
class Differences:
    """Between the index and the evaluation, summed up.

    Attributes:
        compared: queries, by each measure.
        nearest: of them, whose ten nearest differ, or are in another order.
        ranks: of them, with another rank.
        unexplained: of both, where scores are not so close that float32 cannot tell them apart.
    """

    compared: int = 0
    nearest: int = 0
    ranks: int = 0
    unexplained: int = 0


def differences(results: Path, system: str, setting: str = "joint", k: int = 25) -> Differences:
    """Search every test query of every direction, by every measure; ranks are compared up to k."""
    model = cr5.load(results, system, setting)
    candidates = pd.read_parquet(results / "draws" / "1" / "candidates.parquet")
    concepts = {x: sorted(rows["concept"]) for x, rows in candidates.groupby("language")}
    index, texts = cr5.Index(model), {}
    for language, every in concepts.items():
        frame = pd.read_parquet(results / "documents" / language / "documents.parquet")
        texts[language] = frame.set_index("concept")["text"][every]
        index.add(every, texts[language], language)
    folder = results / "ranks" / setting / system / "1" / "documents"
    ranks = pd.read_parquet(folder / "answers.parquet").set_index(["query", *KEYS])["rank"]
    found = Differences()
    for key, queries in pd.read_parquet(folder / "queries.parquet").groupby(KEYS):
        source, target, name = key
        given = texts[source][queries["query"]].tolist()
        hits = index.search(given, source, k, name, target)
        for query, nearest, own in zip(queries["query"], queries["nearest"], hits, strict=True):
            _compare(found, own, query, list(nearest), ranks[(query, *key)], name)
    return found


def _compare(found: Differences, hits: list, query: str, nearest: list, rank: int, name: str):
    """The rank is one more than the number of others whose score is not lower, ties included."""
    ids = [hit.id for hit in hits]
    scores = np.array([hit.score for hit in hits])
    own = scores[ids.index(query)] if query in ids else -np.inf
    tie = measure(name).tie(None, None) * (2 if name == "csls" else 1)  # scores are twice the order
    found.compared += 1
    if ids[: len(nearest)] != nearest:
        found.nearest += 1
        known = set(nearest) <= set(ids)
        places = [ids.index(each) for each in nearest] if known else []
        change = np.abs(scores[places] - scores[: len(nearest)]).max() if known else np.inf
        found.unexplained += change > ROUNDING
    rank = min(rank, len(ids))
    if np.count_nonzero(scores >= own - tie) != rank:
        found.ranks += 1
        least, most = (np.count_nonzero(scores >= own - tie + x) for x in (ROUNDING, -ROUNDING))
        found.unexplained += not least <= rank <= most
