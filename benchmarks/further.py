"""What was tried on top of `cr5_spelling`: mean P@1 over all directions and draws.

    ./run --configfile config/examples/better.yaml
    .venv/bin/python -m benchmarks.further results/better            # about half an hour
    .venv/bin/python -m benchmarks.further results/biographies --numbers

Each trick is tuned on validation queries among values that include leaving it out (so a trick that
is of no use does little harm), on each draw anew; the base is Cr5's regression with the prior of
beginnings, its ridge and shift validated. p is that of the paired randomisation test over concepts
(`cr5.scores.significance`), of all draws together, against the base.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import regex
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.counts import bags, documents
from cr5.fitting import fit as fitting
from cr5.fitting.contract import TrainingSet
from cr5.fitting.gather import training_set
from cr5.models.word_tables import WordTables
from cr5.scores.significance import p_values
from cr5.splits.drawn import Draw
from cr5.systems import cr5_spelling
from cr5.tasks.base import Data, Search
from cr5.tasks.documents import searches

RIDGES = [0.1, 0.3, 1.0, 3.0]
NUMBER = regex.compile(r"\d+")
Similarities = Mapping[tuple[str, str], np.ndarray]
K = 10


@dataclass(frozen=True)
class Drawn:
    """One draw: what trains, and its searches by role."""

    training: TrainingSet
    searches: Mapping[str, list[Search]]


def main() -> None:
    """Print a row per trick."""
    options = _options()
    found: dict[str, list[pd.DataFrame]] = {}
    numbers = _numbers(options.run) if options.numbers else {}
    folders = sorted((options.run / "draws").iterdir(), key=lambda path: int(path.name))
    for folder in folders[: options.draws]:
        for name, hits in _tricks(_drawn(options.run, folder.name), options.rank, numbers):
            found.setdefault(name, []).append(hits.assign(draw=folder.name))
            print(folder.name, name, f"{100 * _mean(hits):.1f}", flush=True)
    print("\n| | P@1 | difference | draws ahead | p |\n|:--|--:|--:|--:|--:|")
    for name, parts in found.items():
        _print(name, parts, found["base"])


def _print(name: str, parts: list[pd.DataFrame], base: list[pd.DataFrame]) -> None:
    means = np.array([[_mean(part) for part in each] for each in (parts, base)]) * 100
    both = pd.concat(parts).assign(base=pd.concat(base)["hit"])
    weights = both.groupby(["draw", "direction"])["hit"].transform("size")
    added = ((both["hit"] - both["base"]) / weights).groupby(both["concept"]).sum()
    p = p_values(added.to_numpy()[:, None], 1)[0]
    difference = means[0] - means[1]
    print(
        f"| {name} | {means[0].mean():.1f} | {difference.mean():+.1f} | "
        f"{(difference > 0).sum()} of {len(parts)} | {p:.3g} |"
    )


def _drawn(run: Path, number: str) -> Drawn:
    languages = sorted(path.name for path in (run / "bags").iterdir())
    known = {x: bags.load(run / "bags" / x, x) for x in languages}
    drawn = Draw.load(run / "draws" / number)
    trained = pd.read_parquet(run / "settings" / "joint" / f"{number}.parquet")
    training = training_set(known, drawn, trained, "log", 1, threads=2)
    roles = ("validation", "test")
    data = Data(known, drawn)
    return Drawn(training, {x: list(searches(data, languages, {}, x)) for x in roles})


def _tricks(drawn: Drawn, rank: int, numbers: Mapping) -> Iterator[tuple[str, pd.DataFrame]]:
    fitted = fitting.fit(cr5_spelling, drawn.training, {"ranks": [rank], "ridges": RIDGES})
    options = {"ranks": [rank], "ridges": [fitted.report["ridge"]]}
    options |= {"shifts": [fitted.report["shift"]]}
    cosines = {role: _cosines(fitted.model, drawn.searches[role]) for role in drawn.searches}

    def rescored(*tricks: Callable) -> pd.DataFrame:
        return _best(drawn, [{x: t(s, x) for x, s in cosines.items()} for t in tricks])

    def refitted(*models: WordTables) -> pd.DataFrame:
        tried = [{x: _cosines(m, s) for x, s in drawn.searches.items()} for m in models]
        return _best(drawn, [cosines, *tried])

    def fit(training: TrainingSet) -> WordTables:
        return fitting.fit(cr5_spelling, training, options).model

    yield "base", _best(drawn, [cosines])
    yield "CSLS", rescored(lambda s, _: {x: _csls(each) for x, each in s.items()})
    yield "inverted softmax", rescored(*_each(_inverted_softmax, (5, 10, 20, 40, 80)))
    yield "ranks of both sides", rescored(*_each(_mutual, (0.0, 0.5, 1.0)))
    yield "lambda of each language", refitted(*map(fit, _by_language(drawn.training)))
    yield "weights by length", refitted(*map(fit, _by_length(drawn.training)))
    model = fit(_self_trained(drawn, fitted.model))
    yield "self-training on mutual neighbours", refitted(model)
    if numbers:
        parts = {role: _of_numbers(numbers, s) for role, s in drawn.searches.items()}
        weights = (0.0, 0.1, 0.25, 0.5, 1.0)
        yield "numbers", rescored(*[_adding(parts, weight) for weight in weights])


def _each(trick: Callable, values: tuple) -> list[Callable]:
    return [lambda s, _, v=v: {x: trick(each, v) for x, each in s.items()} for v in values]


def _adding(parts: Mapping, weight: float) -> Callable:
    return lambda s, role: {x: each + weight * parts[role][x] for x, each in s.items()}


def _cosines(model: WordTables, found: list[Search]) -> Similarities:
    rows: dict[int, np.ndarray] = {}

    def embed(texts, language: str) -> np.ndarray:
        whole = texts.whole or texts
        if id(whole) not in rows:
            rows[id(whole)] = model.embed(whole.counts, language)
        return rows[id(whole)] if texts.whole is None else rows[id(whole)][texts.rows]

    return {
        (s.query, s.target): embed(s.queries, s.query) @ embed(s.candidates, s.target).T
        for s in found
    }


def _best(drawn: Drawn, tried: list[Mapping[str, Similarities]]) -> pd.DataFrame:
    """The hits of what validation likes best; of equals the first."""
    scores = [
        np.mean([(1 / _ranks(each[s.query, s.target], s)).mean() for s in found])
        for each in (x["validation"] for x in tried)
        for found in [drawn.searches["validation"]]
    ]
    chosen = tried[int(np.argmax(scores))]["test"]
    frames = [
        pd.DataFrame(
            {
                "direction": f"{s.query}-{s.target}",
                "concept": s.queries.ids,
                "hit": (_ranks(chosen[s.query, s.target], s) == 1).astype(float),
            }
        )
        for s in drawn.searches["test"]
    ]
    return pd.concat(frames, ignore_index=True)


def _ranks(similarities: np.ndarray, search: Search) -> np.ndarray:
    own = similarities[np.arange(len(similarities)), search.relevance.indices]
    return (similarities >= own[:, None]).sum(axis=1)


def _mean(hits: pd.DataFrame) -> float:
    return hits.groupby("direction")["hit"].mean().mean()


def _csls(cosines: np.ndarray) -> np.ndarray:
    """Of the queries only, as the neighbours of candidates."""
    nearest = np.sort(cosines, axis=0)[-K:].mean(axis=0)
    return 2 * cosines - nearest


def _inverted_softmax(cosines: np.ndarray, heat: float) -> np.ndarray:
    """Smith et al. (2017): each candidate shares itself out among the queries."""
    powers = np.exp(heat * (cosines - cosines.max()))
    return powers / powers.sum(axis=0)


def _mutual(cosines: np.ndarray, share: float) -> np.ndarray:
    """Of a candidate, how near the query is among all queries, beside the other way round."""
    forth = (-cosines).argsort(axis=1).argsort(axis=1) + 1
    back = (-cosines).argsort(axis=0).argsort(axis=0) + 1
    return -np.log(forth) - share * np.log(back) + 1e-3 * cosines


def _by_language(training: TrainingSet) -> Iterator[TrainingSet]:
    """One language's features larger or smaller: its lambda smaller or larger."""
    for language in training.languages:
        for factor in (0.7, 1.4):
            X = {**training.features, language: training.features[language] * factor}
            yield replace(training, features=X)


def _by_length(training: TrainingSet) -> Iterator[TrainingSet]:
    """Rows longer or shorter with the number of words of a document."""
    for power in (-0.25, 0.25):
        X = {}
        for language, features in training.features.items():
            n = np.maximum(np.diff(features.indptr), 1)
            X[language] = (sparse.diags((n / n.mean()) ** power) @ features).tocsr()
        yield replace(training, features=X)


def _self_trained(drawn: Drawn, model: WordTables) -> TrainingSet:
    """Further concepts: validation candidates of two languages that are each other's nearest.

    Test queries are among the validation candidates of no language; documents of one language
    alone are.
    """
    training, n = drawn.training, drawn.training.n_concepts
    rows = {x: [features] for x, features in training.features.items()}
    labels = {x: [found] for x, found in training.concepts.items()}
    spaces = {s.target: s.candidates for s in drawn.searches["validation"]}
    X = {x: _tfidf(training, x, spaces[x].counts) for x in spaces}
    E = {x: model.embed(spaces[x].counts, x) for x in spaces}
    for first in training.languages:
        for second in training.languages:
            if first < second:
                i, j = _mutual_nearest(E[first] @ E[second].T)
                for language, chosen in ((first, i), (second, j)):
                    rows[language].append(X[language][chosen])
                    labels[language].append(np.arange(n, n + len(chosen)))
                n += len(i)
    return replace(
        training,
        features={x: sparse.vstack(parts, "csr") for x, parts in rows.items()},
        concepts={x: np.concatenate(parts) for x, parts in labels.items()},
        n_concepts=n,
    )


def _tfidf(training: TrainingSet, language: str, counts: sparse.csr_matrix) -> sparse.csr_matrix:
    logs = counts.astype(float).log1p()
    return unit_rows((logs @ sparse.diags(training.weights[language])).tocsr())


def _mutual_nearest(cosines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    forth, back = cosines.argmax(axis=1), cosines.argmax(axis=0)
    i = np.flatnonzero(back[forth] == np.arange(len(forth)))
    return i, forth[i]


def _numbers(run: Path) -> dict[str, dict[str, set[str]]]:
    """Per language, per concept the numbers in its text."""
    return {
        path.stem: {
            concept: set(NUMBER.findall(text))
            for concept, text in documents.stream(path, ("concept", "text"))
        }
        for path in sorted((run / "documents").glob("*.parquet"))
    }


def _of_numbers(numbers: Mapping, found: list[Search]) -> Similarities:
    """Cosines of the numbers that two documents have, each weighing ln(n / df)."""
    every = [each for by_concept in numbers.values() for each in by_concept.values()]
    having: dict[str, int] = {}
    for each in every:
        for number in each:
            having[number] = having.get(number, 0) + 1
    columns = {number: i for i, number in enumerate(sorted(having))}
    weights = np.log(len(every) / np.array([having[number] for number in columns]))

    def rows(ids: pd.Index, language: str) -> sparse.csr_matrix:
        of = [sorted(numbers[language][concept]) for concept in ids]
        indices = np.array([columns[number] for each in of for number in each], np.int32)
        indptr = np.cumsum([0, *map(len, of)])
        ones = sparse.csr_matrix((np.ones(len(indices)), indices, indptr), (len(of), len(columns)))
        return unit_rows((ones @ sparse.diags(weights)).tocsr())

    return {
        (s.query, s.target): (rows(s.queries.ids, s.query) @ rows(s.candidates.ids, s.target).T)
        .toarray()
        .astype(np.float32)
        for s in found
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="results/NAME, with the setting joint")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--rank", type=int, default=300)
    parser.add_argument("--numbers", action="store_true", help="numbers in the texts, too")
    return parser.parse_args()


if __name__ == "__main__":
    main()
