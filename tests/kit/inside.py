"""The one module through which tests touch the package's inside: a rebuild edits it alone.

It fits any system on the kit's corpus, stores and opens models, and ranks. What it gives are
matrices, lists and frames; tests know nothing of how they came about.
"""

import copy
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from threadpoolctl import threadpool_limits

from cr5.base.modules import load_module
from cr5.base.rows import HybridRows
from cr5.counts.bags import Bags, build
from cr5.counts.rules import Rules
from cr5.fitting import vectors
from cr5.fitting.contract import TrainingSet
from cr5.fitting.fit import fit
from cr5.fitting.gather import training_set
from cr5.fitting.seeds import Seeds
from cr5.models import store
from cr5.plan.catalogue import PACKAGE, module_source
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.settings import training
from cr5.tasks import documents
from cr5.tasks.base import Data
from cr5.tasks.ranking import rank_all
from tests.kit.corpus import Corpus

SIZES = Sizes(30, 20, 60, {"test": 0.3, "validation": 0.2, "candidates": 0.3})


def systems() -> set[str]:
    """The names of all systems."""
    return {path.stem for path in (PACKAGE / "systems").glob("[!_]*.py")}


def system(name: str | Path) -> ModuleType:
    """One of ours by name, or one of one's own by path."""
    return load_module(name if isinstance(name, Path) else module_source("systems", name), "fit")


@dataclass(frozen=True)
class Given:
    """What fits start from: bags and draw of some languages, and their training set."""

    corpus: Corpus
    bags: Mapping[str, Bags]
    data: Data
    training: TrainingSet


def given(
    corpus: Corpus,
    folder: Path,
    languages: Sequence[str],
    options: Mapping[str, Any] = {},
    threads: int = 1,
    seeds: bool = True,
) -> Given:
    """Count the corpus, draw, and gather all that a system may ask for.

    Args:
        corpus: the texts.
        folder: where `tests.kit.corpus.give` wrote them.
        languages: in the order in which everything is done.
        options: of the system; a `path` names its own files.
        threads: of the fit.
        seeds: whether there is a dictionary; only identical strings are left else.
    """
    bags = {x: counted(corpus, x) for x in languages}
    pairs = list(itertools.combinations(languages, 2))
    frames = {x: each.documents for x, each in bags.items()}
    drawn = draw(frames, pairs, SIZES, 5)
    concepts = {x: pd.Index(frame["concept"]) for x, frame in frames.items()}
    directed = list(itertools.permutations(languages, 2))
    dictionary = {(a, b): _pairs(corpus, a, b) for a, b in directed} if seeds else {}
    path = options.get("path")
    trained = training_set(
        bags,
        drawn,
        training(concepts, drawn, SIZES, "joint"),
        options.get("term_frequency", "log"),
        3,
        threads=threads,
        vector_files={x: _vectors(corpus, x, folder) for x in languages},
        alignment_files={(a, b): folder / f"{a}-{b}.tsv" for a, b in directed},
        with_counts=True,
        files={x: {"path": str(folder / path.format(language=x))} for x in languages if path},
        seeds=Seeds(dictionary, {}),
    )
    return Given(corpus, bags, Data(bags, drawn), trained)


def counted(corpus: Corpus, language: str) -> Bags:
    """Bags of words of a language, which know their texts."""
    texts = corpus.documents[language]
    records = ((concept, concept, text.split()) for concept, text in texts.items())
    rules = Rules(min_documents=1, unique_words=(1, 1000), max_words=1000)
    bags, _ = build(records, rules, language)
    return replace(bags, texts=lambda concepts: [texts[each] for each in concepts])


def _pairs(corpus: Corpus, source: str, target: str) -> list[tuple[str, str]]:
    """Every second word and its translation."""
    return list(zip(corpus.words[source], corpus.words[target], strict=True))[::2]


def _vectors(corpus: Corpus, language: str, folder: Path) -> Path:
    path = folder / f"{language}.vectors"
    if not path.exists():
        vectors.save(path, corpus.words[language], corpus.vectors[language], language=language)
    return path


def fitted(module: ModuleType, start: Given, options: Mapping[str, Any]) -> Any:
    """Fit; returns an object with `model` and `report`. No BLAS thread may change it."""
    own = copy.deepcopy(dict(options))
    with threadpool_limits(start.training.threads):
        found = fit(module, start.training, own)
    assert own == options, "the caller's options are changed"
    return found


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
    texts = list(start.corpus.documents[language].values())
    read = texts if model.reads_texts else start.bags[language].counts
    rows = model.embed(read, language, target)
    several = [rows.dense, rows.sparse] if isinstance(rows, HybridRows) else [rows]
    return np.hstack([x.toarray() if sparse.issparse(x) else x for x in several])


def ranked(model: Any, start: Given, languages: Sequence[str]) -> dict[tuple, pd.DataFrame]:
    """Ranks of the test queries' answers: by query language, target language and similarity."""
    found = rank_all(documents.searches(start.data, languages, {}), model)
    return {(each.query, each.target, each.similarity): each.answers for each in found}


def mean_reciprocal_rank(found: Mapping[tuple, pd.DataFrame]) -> float:
    """Over all queries, directions and similarities."""
    ranks = pd.concat([frame["rank"] for frame in found.values()])
    return float((1 / ranks).mean())


def trained(results: Path, setting: str, language: str, repetition: int = 1) -> pd.Index:
    """Concepts of the documents of a language that a finished run's setting trains on."""
    found = pd.read_parquet(results / "settings" / setting / f"{repetition}.parquet")
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


def counts(results: Path, language: str) -> tuple[sparse.csr_matrix, pd.Index, list[str]]:
    """All documents x words of a language, concepts and words."""
    folder = results / "bags" / language
    words = pd.read_parquet(folder / "words.parquet", columns=["word"])["word"]
    documents = pd.read_parquet(folder / "documents.parquet", columns=["concept"])["concept"]
    return sparse.load_npz(folder / "counts.npz").tocsr(), pd.Index(documents), words.tolist()


def table(results: Path, setting: str, system: str, language: str) -> np.ndarray:
    """The table of words of a fitted system, words x r."""
    folder = results / "models" / setting / system / "1" / "tables"
    return np.load(folder / f"{language}.npy").astype(float)
