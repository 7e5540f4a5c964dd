"""Why a search among all documents is harder than one among those held out, and what helps.

    ./run --configfile config/examples/better.yaml --config repetitions=3 \
        'corpus={name: hubs_all, source: libreoffice_help}' 'splits={candidates_reading: code}'
    .venv/bin/python -m benchmarks.hubs results/hubs_all spelling

Success@1 of the test queries (ties count as found): among as many candidates that are held out as
candidates that trained; among all documents by the cosine, and with hubs corrected by the training
documents of the query language, with and without the candidate's own concept. Then the same of
texts as users might write them: a few words of a training document, to find its counterpart.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.counts import bags
from cr5.models import store
from cr5.models.bank import neighbours, with_bank
from cr5.models.contract import Model
from cr5.splits import settings
from cr5.splits.drawn import Draw
from cr5.tasks.base import Data, Search
from cr5.tasks.documents import searches

FEW = 150  # candidates besides the answer; and texts of users
SHARE = 0.15  # of the words of a document
K, HEAT = 10, 30.0  # as in the configuration's defaults


def main() -> None:
    """Print a row per way to search: means over directions, of each draw and of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("system", help="with dense vectors")
    options = parser.parse_args()
    rows = []
    for folder in sorted((options.run / "draws").iterdir(), key=lambda path: int(path.name)):
        rows += [(folder.name, *x) for x in _of_draw(options.run, options.system, folder.name)]
    table = pd.DataFrame(rows, columns=["draw", "way", "hits"])
    table = table.pivot_table("hits", "way", "draw", sort=False) * 100
    print(table.assign(mean=table.mean(axis=1)).round(1).to_string())


def _of_draw(run: Path, system: str, number: str) -> Iterator[tuple[str, float]]:
    rng, drawn = np.random.default_rng(0), Draw.load(run / "draws" / number)
    model = store.load(run / "models" / "joint" / system / number)
    trained = settings.load(run / "settings" / "joint" / f"{number}.parquet")
    trained = {x: settings.concepts(trained, x) for x in model.languages}
    known = {x: bags.load(run / "bags" / x, x) for x in model.languages}
    known = {x: each.select(model.words[x]) for x, each in known.items()}
    model = with_bank(model, {x: y.counts[y.rows(trained[x])] for x, y in known.items()})
    for search in searches(Data(known, drawn), model.languages, {}, "test"):
        own, others = trained[search.query], trained[search.target]
        candidates = model.embed(search.candidates.counts, search.target)
        cosines = model.embed(search.queries.counts, search.query) @ candidates.T
        answers, ids = search.relevance.indices, search.candidates.ids
        for name, is_one in (("did not train", ~ids.isin(others)), ("did", ids.isin(others))):
            if len(pool := np.flatnonzero(is_one)):
                yield f"{FEW} that {name}", _among_few(cosines, answers, pool, rng)
        penalties = dict(_penalties(model, search, candidates, own.get_indexer(ids)))
        asked = rng.permutation(own.intersection(ids))[:FEW]
        written = _some_words(known[search.query].counts[known[search.query].rows(asked)], rng)
        texts = model.embed(written, search.query) @ candidates.T
        for name, penalty in penalties.items():
            yield f"all, {name}", _hits(cosines - penalty, answers)
            if len(asked):
                yield f"texts of users, {name}", _hits(texts - penalty, ids.get_indexer(asked))


def _penalties(
    model: Model, search: Search, candidates: np.ndarray, places: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """What is subtracted from candidates; `places` are those of their concepts, -1 if held out."""
    near = candidates @ neighbours(model, search.query, search.target).T
    yield "cosine", np.zeros(len(near))
    yield "trained left out", np.where(places >= 0, 9.0, 0.0)
    for name in ("", ", own left out"):
        yield f"CSLS{name}", np.sort(near, axis=1)[:, -K:].mean(axis=1) / 2
        yield f"inverted softmax{name}", np.log(np.exp(HEAT * near).sum(axis=1)) / HEAT
        near = near.copy()
        near[places >= 0, places[places >= 0]] = -1


def _among_few(cosines, answers, pool: np.ndarray, rng: np.random.Generator) -> float:
    hits = []
    for row, answer in zip(cosines, answers, strict=True):
        others = pool[pool != answer]
        hits.append(row[answer] >= row[rng.permutation(others)[:FEW]].max(initial=-1))
    return float(np.mean(hits))


def _some_words(counts: sparse.csr_matrix, rng: np.random.Generator) -> sparse.csr_matrix:
    counts = counts.astype(np.int32)
    counts.data = rng.binomial(counts.data, SHARE)
    return counts


def _hits(scores: np.ndarray, answers: np.ndarray) -> float:
    return float(np.mean(scores[np.arange(len(scores)), answers] >= scores.max(axis=1)))


if __name__ == "__main__":
    main()
