"""Metrics, sources and tasks by themselves.

What it gives are arrays and lists; tests know nothing of how they came about.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.catalogue import TASKS
from cr5.base.parts import Source, Task
from cr5.base.rows import parts_of
from cr5.models.contract import Model
from cr5.models.word_tables import WordTables
from cr5.scores import metrics
from cr5.scores.ranks import Ranked
from cr5.tasks import texts
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all
from cr5.texts import aligned
from cr5.texts.reading import Reading, Record
from tests.kit.corpus import CORPUS
from tests.kit.inside import Given

METRICS = metrics.METRICS  # by name; one may be replaced


def answered(
    answers: Sequence[tuple[int, float, float]] | np.ndarray,
    n_relevant: Sequence[int],
    n_candidates: int | Sequence[int] = 20,
    depth: int | None = None,
) -> Ranked:
    """What metrics are computed from: number of the query, rank, grade."""
    found = pd.DataFrame(np.reshape(answers, (-1, 3)), columns=["query", "rank", "grade"])
    about = {"query": range(len(n_relevant)), "n_relevant": n_relevant}
    about |= {"n_candidates": n_candidates, "depth": pd.array([depth] * len(n_relevant), "Int64")}
    return Ranked.of(found, pd.DataFrame(about))


def metric(found: Ranked, name: str) -> np.ndarray:
    """A metric of each query."""
    return metrics.values(found, name)


def dense(rows) -> list[np.ndarray]:
    """The parts of rows."""
    return [x.toarray() if sparse.issparse(x) else np.asarray(x) for x in parts_of(rows)]


def records(kind: type[Source], path: Path, language: str, **options: Any) -> Iterator[Record]:
    """The documents of one language of a source with a file or folder."""
    source = kind(path=str(path), **options)
    return source.records(Reading(source, Path(path), language, (language,)))


def tasks() -> set[str]:
    """The names of all tasks."""
    return set(TASKS.known())


def task(name: str | Path) -> type[Task]:
    """One of ours by name, or one of one's own by path."""
    if isinstance(name, Path):
        return TASKS.kind(name.stem, {"module": str(name)})
    return TASKS.kind(name, {})


TEXTS = {  # what a task reads for itself, of `tests.kit.corpus.give`
    "ad_hoc": {"documents": "{}.judged.jsonl", "queries": "{}.questions.tsv"},
}


def prepared(name: str, kind: type[Task], start: Given, folder: Path) -> tuple[Data, Task]:
    """What a task builds its searches from, and the task."""
    data, given = start.data, {}
    words = {x: list(bags.words["word"]) for x, bags in data.bags.items()}
    if name == "ad_hoc":
        given["qrels"] = str(folder / "qrels")
    if name == "classification":
        labelled = {
            x: bags.documents.assign(label=bags.documents["concept"].map(CORPUS.labels))
            for x, bags in data.bags.items()
        }
        bags = {x: replace(data.bags[x], documents=frame) for x, frame in labelled.items()}
        data = replace(data, bags=bags)
    if name == "sentences":
        given["path"] = "{language}.txt"
    made = kind(**given)
    if name == "lexicon_induction":
        files = {(a, b): folder / f"{a}-{b}.dict" for a in words for b in words if a != b}
        return replace(data, tables=made.tables(files, words)), made
    if made.reads_files:
        files = {x: _files(name, x, folder) for x in words}
        read = {x: made.records(files[x], x) for x in words}
        data = replace(data, texts={x: texts.count(read[x], x, words[x]) for x in words})
    return data, made


def _files(name: str, language: str, folder: Path) -> dict[str, Any]:
    if name == "sentences":
        return {"aligned": [str(_aligned(folder))]}
    return {x: str(folder / path.format(language)) for x, path in TEXTS.get(name, {}).items()}


def _aligned(folder: Path) -> Path:
    """The corpus's sentences, as the workflow aligns files."""
    frame = pd.DataFrame(CORPUS.sentences, dtype=object)
    frame = frame.assign(id=[f"s{i}" for i in range(len(frame))], concept="", part="")
    if not (folder / "all").exists():
        about = {"name": "all", "languages": list(CORPUS.sentences), "pairs": []}
        aligned.save(folder / "all", frame, about)
    return folder / "all"


class Asked(NamedTuple):
    """A search."""

    queries: list[str]
    candidates: list[str]
    relevant: dict[tuple[str, str], float]  # grades
    depth: int | None  # beyond which nothing is found


def asked(
    task: Task,
    data: Data,
    languages: Sequence[str],
    pairs: Collection[tuple[str, str]] | None = None,
) -> list[tuple[tuple[str, str], Asked]]:
    """The searches of a task, each after its query and target language."""
    found = []
    for search in task.searches(replace(data, pairs=pairs), languages):
        queries, candidates = search.queries.ids, search.candidates.ids
        r = search.relevance.tocoo()
        pairs_of = zip(queries[r.row], candidates[r.col], strict=True)
        relevant = dict(zip(pairs_of, r.data.tolist(), strict=True))
        each = Asked(queries.tolist(), candidates.tolist(), relevant, search.depth)
        found.append(((search.query, search.target), each))
    return found


def by_vectors(start: Given, weights: Mapping[str, np.ndarray]) -> Model:
    """A model of the corpus's own vectors and weights of its words."""
    words, tables, own = {}, {}, {}
    for x, bags in start.bags.items():
        words[x] = list(bags.words["word"])
        rows = [CORPUS.words[x].index(word) for word in words[x]]
        tables[x], own[x] = CORPUS.vectors[x][rows], weights[x][rows]
    return WordTables(words, tables, own)


def best_ranks(
    task: Task, data: Data, languages: Sequence[str], model: Model
) -> dict[tuple[str, str], dict[str, float]]:
    """By direction the rank of each query's best answer by the cosine, inf where not found."""
    ranks = {}
    for found in rank_all(task.searches(data, languages), model, ["cosine"]):
        for name in task.metrics:
            values = metrics.values(Ranked.of(found.answers, found.queries), name)
            assert ((values >= 0) & (values <= 1)).all()
        best = found.answers.groupby("query")["rank"].min().reindex(found.queries["query"])
        ranks[found.query, found.target] = best.fillna(np.inf).to_dict()
    return ranks
