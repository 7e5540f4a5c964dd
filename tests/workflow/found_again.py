"""What the index finds among the test documents of a run, against what the evaluation found."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

import cr5
from cr5.counts import bags
from cr5.counts.columns import is_untrained
from cr5.retrieval.results import Documents
from cr5.retrieval.run_documents import embedded
from cr5.retrieval.searching import Collection
from cr5.retrieval.stores import Memory
from cr5.search.measures import measure

ROUNDING = 5e-7  # the evaluation's float32 scores are off by up to 2e-7, csls by twice that


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


def differences(results, systems, k=25, setting="joint"):
    """Search every test query of every direction, by every measure of each system.

    Ranks are compared up to k, higher ones with k: to list all candidates of all takes a minute.
    """
    texts = {
        path.stem: pd.read_parquet(path, columns=["concept", "text"]).set_index("concept")["text"]
        for path in sorted((results / "documents").glob("*.parquet"))
    }
    candidates = pd.read_parquet(results / "draws" / "1" / "candidates.parquet")
    of = {x: sorted(rows["concept"]) for x, rows in candidates.groupby("language")}
    counted = {}
    for system in systems:
        model = cr5.load(results, system, setting)
        for language, concepts in of.items():  # systems of a setting know the same words: once
            key = language, tuple(model.model.words[language])
            if key not in counted:
                counted[key] = _counts(model, results, language, texts[language][concepts])
        counts = {x: counted[x, tuple(model.model.words[x])] for x in of}
        yield system, _of_system(results / "ranks" / setting / system, model, of, counts, k)


def _counts(model, results, language, texts):
    """Count as `cr5 index` does; but a bag lacks words of few documents, and their beginnings."""
    words = model.model.words[language]
    if not is_untrained(next(reversed(list(words)), "")):
        return model.count(texts, language).counts
    bag = bags.load(results / "bags" / language, language)
    return bag.select(words).counts[bag.rows(texts.index)]


def _of_system(folder, model, concepts, counts, k):
    chunks = {
        x: [embedded(model, x, Documents(every, [""] * len(every), counts[x]))]
        for x, every in concepts.items()
    }
    index = Collection(model, "the run", Memory(chunks))
    rows = {x: pd.Series(range(len(every)), every) for x, every in concepts.items()}
    keys = ["query_language", "target_language", "similarity"]
    folder = folder / "1" / "documents"
    ranks = (
        pd.read_parquet(folder / "answers.parquet").set_index(["query", *keys])["rank"].to_dict()
    )
    asked = pd.read_parquet(folder / "queries.parquet").groupby(keys)
    found = Differences()
    for (source, target, name), queries in asked:
        given = counts[source][rows[source][queries["query"]]]
        hits = index.search_counts(given, source, k, name, target)
        for query, nearest, own in zip(queries["query"], queries["nearest"], hits, strict=True):
            rank = ranks[query, source, target, name]
            _compare(found, own, query, list(nearest), rank, name)
    return found


def _compare(found, hits, query, nearest, rank, name):
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
