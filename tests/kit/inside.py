"""What fits of the made-up corpus start from, what a finished run has, and other things inside."""

import itertools
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base import processor
from cr5.base.parts import Source
from cr5.base.rows import parts_of
from cr5.counts import bags as bag_files
from cr5.counts.bags import Bags
from cr5.counts.bags import counted as counted_words
from cr5.counts.rules import Rules
from cr5.counts.tokens import Tokens
from cr5.fitting import vectors
from cr5.fitting.contract import TrainingSet
from cr5.fitting.gathering import Extras, training_set
from cr5.fitting.options import TrainingOptions, ValidationOptions
from cr5.fitting.seeds import Seeds
from cr5.scores.ranks import Ranked
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import training
from cr5.tasks.base import Data
from cr5.texts.reading import Document, Reading, Records
from tests.kit.corpus import CORPUS

SHARES = {"test": 0.3, "validation": 0.2, "candidates": 0.3}
SIZES = Sizes(test=30, validation=20, candidates=60, max_share=SHARES)


@dataclass(frozen=True)
class Given:
    """What fits start from: bags and draw of some languages, and their training set."""

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
    made_by = TrainingOptions(
        bags=Rules(vocabulary="text"),
        idf="corpus",
        term_frequency=options.get("term_frequency", "log"),
        validation=ValidationOptions(),
        csls_neighbours=0,
        seed=3,
    )
    extras = Extras(
        vectors={x: _vectors(x, folder) for x in languages},
        alignments={(a, b): folder / f"{a}-{b}.tsv" for a, b in directed},
        files={x: {"path": str(folder / path.format(language=x))} for x in languages if path},
        seeds=Seeds(dictionary, {}),
    )
    trained = training_set(
        made_by,
        bags.items(),
        drawn,
        training(concepts, drawn, SIZES, pairs),
        extras,
        needs_counts=True,
        threads=threads,
    )
    return Given(Data(bags, drawn), trained)


def counted(language: str) -> Bags:
    """Bags of words of a language, which know their texts."""
    texts = CORPUS.documents[language]
    records = ((concept, concept, text) for concept, text in texts.items())
    rules = Rules(min_documents=1, unique_words=(1, 1000), max_words=1000)
    bags, _ = counted_words(records, rules, language, tokens=Tokens(case="keep", tokens="words"))
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
    had, bags = start.training, start.data.bags
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


def common_processor() -> dict[str, str]:
    """Variables by which jobs keep to what common processors have."""
    found = dict(os.environ)
    processor.limit("common", found)
    return found


def counts(results: Path, language: str) -> tuple[sparse.csr_matrix, pd.Index, list[str]]:
    """All documents x words of a language, concepts and words."""
    bags = bag_files.load(results / "bags" / language, language)
    return bags.counts, pd.Index(bags.documents["concept"]), bags.words["word"].tolist()


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


def dense(rows) -> list[np.ndarray]:
    """The parts of rows."""
    return [x.toarray() if sparse.issparse(x) else np.asarray(x) for x in parts_of(rows)]


def records(kind: type[Source], path: Path, language: str, **options: Any) -> Iterator[Document]:
    """The documents of one language of a source with a file or folder."""
    source = kind(path=str(path), **options)
    reading = Reading(source, Path(path), language, (language,))
    return Records(source.name).documents(source.records(reading))
