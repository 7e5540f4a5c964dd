"""Through this module and `parts` tests touch the package's inside: a rebuild edits these alone.

What it gives are matrices, lists and frames; tests know nothing of how they came about.
"""

import itertools
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from safetensors.numpy import load_file
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base import processor
from cr5.base.catalogue import SYSTEMS
from cr5.base.errors import LeftOutError, UserError
from cr5.base.parts import System
from cr5.base.rows import HybridRows
from cr5.counts import bags as bag_files
from cr5.counts.bags import Bags
from cr5.counts.bags import counted as counted_words
from cr5.counts.rules import Rules
from cr5.counts.tokens import Tokens
from cr5.fitting import vectors
from cr5.fitting.contract import TrainingSet
from cr5.fitting.fit import fit
from cr5.fitting.seeds import Seeds
from cr5.models import store
from cr5.scores import ranks as rank_files
from cr5.splits import training_documents as setting_files
from cr5.splits.draw import Draw, draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import training
from cr5.tasks.base import Data
from cr5.tasks.documents import Documents
from cr5.tasks.ranking import rank_all
from tests.kit.corpus import CORPUS

LEFT_OUT, REFUSED = LeftOutError, UserError  # what a fit raises
COUNTS = "data", "indices", "indptr"  # of a sparse matrix
SHARES = {"test": 0.3, "validation": 0.2, "candidates": 0.3}
SIZES = Sizes(test=30, validation=20, candidates=60, max_share=SHARES)


def systems() -> set[str]:
    """The names of all systems."""
    return set(SYSTEMS.known())


def system(name: str | Path) -> type[System]:
    """One of ours by name, or one of one's own by path."""
    if isinstance(name, Path):
        return SYSTEMS.kind(name.stem, {"module": str(name)})
    return SYSTEMS.kind(name, {})


@dataclass(frozen=True)
class Given:
    """What fits start from: bags and draw of some languages, and their training set."""

    bags: Mapping[str, Bags]
    data: Data
    training: TrainingSet


def given(
    folder: Path,
    languages: Sequence[str],
    options: Mapping[str, Any] = {},
    threads: int = 1,
    seeds: bool = True,
) -> Given:
    """Count the corpus that `give` wrote to a folder, draw, and gather what a system may ask for.

    A `path` of the options names the system's own files. Without `seeds` there is no dictionary:
    only identical strings are left.
    """
    bags = {x: counted(x) for x in languages}
    pairs = list(itertools.combinations(languages, 2))
    frames = {x: each.documents for x, each in bags.items()}
    drawn = draw(frames, pairs, SIZES, 5)
    concepts = {x: pd.Index(frame["concept"]) for x, frame in frames.items()}
    directed = list(itertools.permutations(languages, 2))
    dictionary = {(a, b): _pairs(a, b) for a, b in directed} if seeds else {}
    path = options.get("path")
    trained = TrainingSet.of(
        {"seed": 3, "needs": ["counts"], "term_frequency": options.get("term_frequency", "log")},
        bags.items(),
        drawn,
        training(concepts, drawn, SIZES, pairs),
        threads,
        vectors={x: _vectors(x, folder) for x in languages},
        alignments={(a, b): folder / f"{a}-{b}.tsv" for a, b in directed},
        files={x: {"path": str(folder / path.format(language=x))} for x in languages if path},
        seeds=Seeds(dictionary, {}),
    )
    return Given(bags, Data(bags, drawn), trained)


def counted(language: str) -> Bags:
    """Bags of words of a language, which know their texts."""
    texts = CORPUS.documents[language]
    records = ((concept, concept, text) for concept, text in texts.items())
    rules = Rules(min_documents=1, unique_words=(1, 1000), max_words=1000)
    bags, _ = counted_words(records, rules, language, tokens=Tokens("keep", "words"))
    return replace(bags, texts=lambda concepts: [texts[each] for each in concepts])


def _pairs(source: str, target: str) -> list[tuple[str, str]]:
    """Every second word and its translation, and pairs of which one word is unknown."""
    known = list(zip(CORPUS.words[source], CORPUS.words[target], strict=True))[::2]
    return [("nowhere", known[1][1]), *known, (known[2][0], "nowhere")]


def _vectors(language: str, folder: Path) -> Path:
    """Every tenth word has no vector."""
    path = folder / f"{language}.vectors"
    if not path.exists():
        has = [i for i in range(len(CORPUS.words[language])) if i % 10 != 9]
        words = [CORPUS.words[language][i] for i in has]
        vectors.save(path, words, CORPUS.vectors[language][has], language=language)
    return path


@dataclass(frozen=True)
class Plain:
    """What an oracle computes from, nothing of the package's inside; most by language."""

    languages: tuple[str, ...]  # in alphabetical order
    words: dict[str, list[str]]  # p
    counts: dict[str, np.ndarray]  # training documents x p
    concepts: dict[str, np.ndarray]  # numbers of the concepts of these
    every: dict[str, np.ndarray]  # all documents x p
    texts: dict[str, list[str]]  # of all documents
    vectors: dict[str, np.ndarray]  # p x d; zeros for a word without one
    pairs: dict[tuple[str, str], list[tuple[str, str]]]  # the dictionary
    folder: Path  # the files of the corpus


def plain(start: Given, folder: Path) -> Plain:
    """Show a training set and all documents as arrays."""
    had, bags = start.training, start.bags
    directed = list(itertools.permutations(had.languages, 2))
    return Plain(
        languages=had.languages,
        words={x: list(had.words[x]) for x in had.languages},
        counts={x: had.counts[x].toarray() for x in had.languages},
        concepts=dict(had.concepts),
        every={x: bags[x].counts.toarray() for x in had.languages},
        texts={x: list(CORPUS.documents[x].values()) for x in had.languages},
        vectors={x: had.vectors[x].astype(float) for x in had.languages},
        pairs={pair: list(had.seeds.pairs.get(pair, [])) for pair in directed},
        folder=folder,
    )


def sharing_nothing(start: Given) -> Given:
    """The same, but no concept has training documents in two languages."""
    had = start.training
    apart = {x: i * had.n_concepts + had.concepts[x] for i, x in enumerate(had.languages)}
    of_all = len(had.languages) * had.n_concepts
    return replace(start, training=replace(had, concepts=apart, n_concepts=of_all))


def without_texts(start: Given) -> Given:
    """The same, but only the counts of the documents were kept."""
    bags = {x: replace(each, texts=None) for x, each in start.data.bags.items()}
    return replace(start, data=replace(start.data, bags=bags))


def fitted(kind: type[System], start: Given, options: Mapping[str, Any]) -> Any:
    """Fit; returns an object with `model` and `report`. No BLAS thread may change it."""
    with threadpool_limits(start.training.threads):
        return fit(kind(**options), start.training)


def validated(start: Given, model: Any) -> float:
    """The score by which a fit is chosen."""
    return float(start.training.validate(model))


def stored(found: Any, folder: Path) -> dict[str, bytes]:
    """Write a fit; returns its files."""
    store.save(folder, found.model, found.report)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def opened(found: Any, folder: Path) -> Any:
    """Read the model that was stored."""
    return store.load(folder, [type(found.model)])


def embedded(model: Any, start: Given, language: str, target: str) -> np.ndarray:
    """Rows of all documents of a language, dense; each has its part for every kind of row."""
    texts = list(CORPUS.documents[language].values())
    read = texts if model.reads_texts else start.bags[language].counts
    rows = model.embed(read, language, target)
    several = [rows.dense, rows.sparse] if isinstance(rows, HybridRows) else [rows]
    return np.hstack([x.toarray() if sparse.issparse(x) else x for x in several])


def similarities(model: Any, start: Given, source: str, target: str) -> np.ndarray:
    """Products of the rows of all documents of one language with those of another."""
    Q, C = embedded(model, start, source, target), embedded(model, start, target, target)
    return Q @ C.T


def ranked(model: Any, start: Given, languages: Sequence[str]) -> dict[tuple, pd.DataFrame]:
    """Ranks of the test queries' answers: by query language, target language and similarity."""
    found = rank_all(Documents().searches(start.data, languages), model)
    return {(each.query, each.target, each.similarity): each.answers for each in found}


def mean_reciprocal_rank(found: Mapping[tuple, pd.DataFrame]) -> float:
    """Over all queries, directions and similarities."""
    ranks = pd.concat([frame["rank"] for frame in found.values()])
    return float((1 / ranks).mean())


def trained(results: Path, setting: str, language: str, repetition: int = 1) -> pd.Index:
    """Concepts of the documents of a language that a finished run's setting trains on."""
    found = pd.read_parquet(results / "settings" / setting / str(repetition) / "trained.parquet")
    return pd.Index(found.loc[found["language"] == language, "concept"])


def settings(results: Path) -> list[str]:
    """The settings of a finished run."""
    return sorted(path.name for path in (results / "settings").iterdir() if path.is_dir())


def queries(results: Path, repetition: int = 1) -> pd.DataFrame:
    """Queries of a finished run: first, second (languages), role, concept."""
    return pd.read_parquet(results / "draws" / str(repetition) / "queries.parquet")


def candidates(results: Path, language: str, repetition: int = 1) -> pd.Index:
    """Documents of a language that are searched."""
    found = pd.read_parquet(results / "draws" / str(repetition) / "candidates.parquet")
    return pd.Index(found.loc[found["language"] == language, "concept"])


def asked(results: Path, setting: str, system: str, task: str, query: str, target: str) -> set[str]:
    """The queries of a direction that were ranked."""
    folder = results / "ranks" / setting / system / "1" / task
    found = pd.read_parquet(folder / "queries.parquet")
    chosen = (found["query_language"] == query) & (found["target_language"] == target)
    return set(found.loc[chosen, "query"])


def fit_of(results: Path, setting: str, system: str) -> dict[str, Any]:
    """What a fit says of itself: options, seed, versions, and under `fit` what it found."""
    return json.loads((results / "models" / setting / system / "1" / "fit.json").read_text())


def words_with_vectors(results: Path, language: str) -> set[str]:
    """Words that have a vector of those that the run trained."""
    return set(pd.read_parquet(results / "vectors" / language / "1" / "vectors.parquet")["word"])


def common_processor() -> dict[str, str]:
    """Variables by which jobs keep to what common processors have."""
    found = dict(os.environ)
    processor.limit("common", found)
    return found


def counts(results: Path, language: str) -> tuple[sparse.csr_matrix, pd.Index, list[str]]:
    """All documents x words of a language, concepts and words."""
    folder = results / "bags" / language
    words = pd.read_parquet(folder / "words.parquet", columns=["word"])["word"]
    documents = pd.read_parquet(folder / "documents.parquet", columns=["concept"])["concept"]
    parts = tuple(np.load(folder / f"{name}.npy") for name in COUNTS)
    found = sparse.csr_matrix(parts, (len(documents), len(words)))
    return found, pd.Index(documents), words.tolist()


def table(results: Path, setting: str, system: str, language: str) -> np.ndarray:
    """The table of words of a fitted system, words x r."""
    path = results / "models" / setting / system / "1" / f"{language}.safetensors"
    return load_file(path)[f"tables.{language}"].astype(float)


READERS: dict[str, Callable[[Path], Any]] = {
    "bags/en": lambda x: bag_files.load(x, "en"),
    "draws/1": Draw.load,
    "settings/joint/1": lambda x: setting_files.load(x, setting="joint", repetition="1"),
    "vectors/en/1": lambda x: vectors.load(x, language="en"),
    "models/joint/cr5/1": store.load,
    "models/joint/bm25_translated/1": store.load,
    "ranks/joint/cr5/1/documents": rank_files.read,
}
"""What jobs hand on, by its place below the results, and what the next one reads it with."""
UNREAD = ("summary.json", "fit.json", "run.parquet", "pairs.parquet")  # but by verify
