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
from cr5.base.rows import parts_of
from cr5.contracts.seeds import Seeds
from cr5.contracts.source import Document, Reading, Source
from cr5.contracts.training import TrainingSet
from cr5.counts import bags as bag_files
from cr5.counts.bags import Bags
from cr5.counts.bags import counted as counted_words
from cr5.counts.rules import Rules
from cr5.counts.tokens import Tokens
from cr5.fitting import vectors
from cr5.fitting.gathering import Extras, training_set
from cr5.fitting.options import TrainingOptions, ValidationOptions
from cr5.scores.ranks import Ranked
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import training
from cr5.tasks.base import Data
from cr5.texts.reading import Records
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
    bags = {language: counted(language) for language in languages}
    documents = {language: bags[language].documents for language in languages}
    concepts = {language: pd.Index(documents[language]["concept"]) for language in languages}
    pairs = list(itertools.combinations(languages, 2))
    drawn = draw(documents, pairs, SIZES, 5)
    directed_pairs = list(itertools.permutations(languages, 2))
    dictionary = {}
    if seeds:
        for source, target in directed_pairs:
            dictionary[source, target] = _pairs(source, target)
    training_options = TrainingOptions(
        bags=Rules(vocabulary="text"),
        idf="corpus",
        term_frequency=options.get("term_frequency", "log"),
        validation=ValidationOptions(),
        csls_neighbours=0,
        seed=3,
    )
    extras = Extras(
        vectors={language: _vectors(language, folder) for language in languages},
        alignments={pair: folder / f"{'-'.join(pair)}.tsv" for pair in directed_pairs},
        files=_own_files(options.get("path"), languages, folder),
        seeds=Seeds(dictionary, {}),
    )
    set_of_setting = training_set(
        training_options,
        bags.items(),
        drawn,
        training(concepts, drawn, SIZES, pairs),
        extras,
        needs_counts=True,
        threads=threads,
    )
    return Given(Data(bags, drawn), set_of_setting)


def _own_files(
    path: str | None, languages: Sequence[str], folder: Path
) -> dict[str, dict[str, str]]:
    """Return the files of a system's own by language; none without a path."""
    if path is None:
        return {}
    files = {}
    for language in languages:
        file = folder / path.format(language=language)
        files[language] = {"path": str(file)}
    return files


def counted(language: str) -> Bags:
    """Bags of words of a language, which know their texts."""
    texts = CORPUS.documents[language]
    records = [(concept, concept, text) for concept, text in texts.items()]
    rules = Rules(min_documents=1, unique_words=(1, 1000), max_words=1000)
    bags, _ = counted_words(records, rules, language, tokens=Tokens(case="keep", tokens="words"))
    return replace(bags, texts=lambda concepts: [texts[concept] for concept in concepts])


def _pairs(source: str, target: str) -> list[tuple[str, str]]:
    """Every second word and its translation, and pairs of which one word is unknown."""
    words = CORPUS.words[source][::2]
    translations = CORPUS.words[target][::2]
    pairs = list(zip(words, translations, strict=True))
    pairs.insert(0, ("nowhere", translations[1]))
    pairs.append((words[2], "nowhere"))
    return pairs


def _vectors(language: str, folder: Path) -> Path:
    """Every tenth word has no vector."""
    path = folder / f"{language}.vectors"
    if not path.exists():
        words = CORPUS.words[language]
        numbers = [number for number in range(len(words)) if number % 10 != 9]
        words_with_vector = [words[number] for number in numbers]
        rows = CORPUS.vectors[language][numbers]
        vectors.save(path, words_with_vector, rows, language=language)
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
    of_setting = start.training
    bags = start.data.bags
    languages = of_setting.languages
    directed_pairs = itertools.permutations(languages, 2)
    return Plain(
        languages=languages,
        words={language: list(of_setting.words[language]) for language in languages},
        counts={language: of_setting.counts[language].toarray() for language in languages},
        concepts=dict(of_setting.concepts),
        every={language: bags[language].counts.toarray() for language in languages},
        texts={language: list(CORPUS.documents[language].values()) for language in languages},
        vectors={language: of_setting.vectors[language].astype(float) for language in languages},
        pairs={pair: list(of_setting.seeds.pairs.get(pair, [])) for pair in directed_pairs},
        folder=folder,
    )


def trained(results: Path, setting: str, language: str) -> pd.Index:
    """Concepts of the documents of a language that a finished run's setting trains on."""
    table = pd.read_parquet(results / "settings" / setting / "1" / "trained.parquet")
    return pd.Index(table.loc[table["language"] == language, "concept"])


def settings(results: Path) -> list[str]:
    """The settings of a finished run."""
    return sorted(path.name for path in (results / "settings").iterdir() if path.is_dir())


def queries(results: Path, repetition: int = 1) -> pd.DataFrame:
    """Queries of a finished run: first, second (languages), role, concept."""
    return pd.read_parquet(results / "draws" / str(repetition) / "queries.parquet")


def candidates(results: Path, language: str) -> pd.Index:
    """Documents of a language that are searched."""
    table = pd.read_parquet(results / "draws" / "1" / "candidates.parquet")
    return pd.Index(table.loc[table["language"] == language, "concept"])


def asked(results: Path, setting: str, system: str, task: str, query: str, target: str) -> set[str]:
    """The queries of a direction that were ranked."""
    folder = results / "ranks" / setting / system / "1" / task
    table = pd.read_parquet(folder / "queries.parquet")
    is_of_direction = (table["query_language"] == query) & (table["target_language"] == target)
    return set(table.loc[is_of_direction, "query"])


def fit_of(results: Path, setting: str, system: str) -> dict[str, Any]:
    """What a fit says of itself: options, seed, versions, and under `fit` what it found."""
    return json.loads((results / "models" / setting / system / "1" / "fit.json").read_text())


def common_processor() -> dict[str, str]:
    """Variables by which jobs keep to what common processors have."""
    environment = dict(os.environ)
    processor.limit("common", environment)
    return environment


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
    ranks = pd.DataFrame(np.reshape(answers, (-1, 3)), columns=["query", "rank", "grade"])
    n_queries = len(n_relevant)
    queries = {
        "query": range(n_queries),
        "n_relevant": n_relevant,
        "n_candidates": n_candidates,
        "depth": pd.array([depth] * n_queries, "Int64"),
    }
    return Ranked.of(ranks, pd.DataFrame(queries))


def dense(rows) -> list[np.ndarray]:
    """The parts of rows."""
    return [_dense(part) for part in parts_of(rows)]


def _dense(part: Any) -> np.ndarray:
    return part.toarray() if sparse.issparse(part) else np.asarray(part)


def records(kind: type[Source], path: Path, language: str, **options: Any) -> Iterator[Document]:
    """The documents of one language of a source with a file or folder."""
    source = kind(path=str(path), **options)
    reading = Reading(source, Path(path), language, (language,))
    return Records(source.name).documents(source.records(reading))
