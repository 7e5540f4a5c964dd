"""Gather a training set from bags, a draw, the documents that train, and a system's extras."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.base.errors import UserError
from cr5.contracts.seeds import Seeds
from cr5.contracts.training import CRITERIA, Channel, Coverage, TrainingSet
from cr5.contracts.vocabulary import Vocabulary
from cr5.counts.bags import Bags, of_training
from cr5.counts.weighting import IDF, tfidf
from cr5.fitting import vectors as word_vectors
from cr5.fitting.choose import DOCUMENTS, Task, Validator
from cr5.fitting.options import TrainingOptions
from cr5.splits.draw import Draw
from cr5.splits.options import Pair
from cr5.splits.training_documents import concepts, paired
from cr5.tasks import ad_hoc, texts
from cr5.tasks.base import relevance_of
from cr5.texts import translation_tables

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Extras:
    """What only some systems need, or validate by.

    Attributes:
        vectors: the folder of word vectors of each language.
        alignments: the word translation table of each directed pair.
        channels: the folder of text of one language alone, of each language that has any.
        judgements: which texts of channels are relevant for which.
        files: per language, per key of the system: its file.
        seeds: word pairs to start from.
        encoded: the folder where rows that encoders make of texts are kept.
        validation_task: the task whose searches choose hyperparameters.
    """

    vectors: Mapping[str, Path] = field(default_factory=dict)
    alignments: Mapping[Pair, Path] = field(default_factory=dict)
    channels: Mapping[str, Path] = field(default_factory=dict)
    judgements: Path | None = None
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    seeds: Seeds = field(default_factory=Seeds)
    encoded: Path | None = None
    validation_task: Task = DOCUMENTS


def training_set(
    options: TrainingOptions,
    bags: Iterable[tuple[str, Bags]],
    drawn: Draw,
    trained: pd.DataFrame,
    extras: Extras,
    pairs: Collection[Pair] | None = None,
    needs_counts: bool = False,
    threads: int = 1,
) -> TrainingSet:
    """Gather everything that a system may see when it is fitted.

    Args:
        options: how words count, and how fits are compared.
        bags: by language, read one after the other, as they may be large.
        drawn: the queries and candidates of the repetition.
        trained: the documents that train, see `splits.training_documents.training`.
        extras: what else the system needs.
        pairs: that are searched; None for all.
        needs_counts: whether the system takes counts.
        threads: that the fit may use.
    """
    training_bags = {}
    validation_bags = {}
    channels = {}
    for language, all_bags in bags:
        training_concepts = concepts(trained, language)
        bags_with_words = of_training(all_bags, training_concepts, options.bags, language)
        training_bags[language] = bags_with_words.of(training_concepts)
        validation_bags[language] = _validation_bags(
            all_bags, drawn, extras.validation_task, language
        )
        if language in extras.channels:
            words_of_model = training_bags[language].words["word"].tolist()
            columns = all_bags.columns_of(Vocabulary(words_of_model))
            folder = extras.channels[language]
            channels[language] = _load_channel(folder, language, columns, extras.judgements)
    languages = tuple(sorted(training_bags))
    concepts_of_rows = {}
    counts = {}
    words = {}
    frequencies = {}
    weights = {}
    features = {}
    readers_of_texts = {}
    for language in languages:
        bags_of_language = training_bags[language]
        concepts_of_rows[language] = bags_of_language.documents["concept"]
        counts[language] = bags_of_language.counts
        words[language] = bags_of_language.words["word"].tolist()
        frequencies[language] = bags_of_language.words["collection_frequency"].to_numpy()
        weights[language] = IDF[options.idf](counts[language])
        features[language] = tfidf(counts[language], weights[language], options.term_frequency)
        if bags_of_language.texts:
            readers_of_texts[language] = partial(bags_of_language.texts, concepts_of_rows[language])
    concept_numbers, n_concepts = _number_concepts(concepts_of_rows, paired(trained))
    vectors, coverage = _load_vectors(extras.vectors, words)
    criterion = CRITERIA[options.validation.criterion]
    # a model that keeps its training documents keeps their counts
    has_counts = needs_counts or options.csls_neighbours > 0
    return TrainingSet(
        languages=languages,
        words=words,
        features=features,
        concepts=concept_numbers,
        n_concepts=n_concepts,
        weights=weights,
        term_frequency=options.term_frequency,
        frequencies=frequencies,
        validate=Validator(
            validation_bags, drawn, languages, threads, criterion, pairs, extras.validation_task
        ),
        seed=options.seed,
        threads=threads,
        counts=counts if has_counts else {},
        texts=readers_of_texts,
        vectors=vectors,
        coverage=coverage,
        seeds=extras.seeds,
        alignments=translation_tables.read(extras.alignments, words),
        channels=channels,
        files=extras.files,
        encoded=extras.encoded,
        criterion=criterion,
        extend=options.validation.extend,
    )


def _number_concepts(
    documents: Mapping[str, pd.Series], known: pd.DataFrame
) -> tuple[dict[str, np.ndarray], int]:
    """Number the concepts of documents, in alphabetical order; return how many there are, too.

    Documents of which it is not known what they belong to have a number each, behind the others.
    """
    concepts_that_train = set().union(*documents.values())
    names = pd.Index(sorted(concepts_that_train.intersection(known["concept"])))
    n_concepts = len(names)
    numbers = {}
    for language, concepts_of_language in documents.items():
        of_language = names.get_indexer(concepts_of_language)
        is_unpaired = of_language < 0
        n_unpaired = int(is_unpaired.sum())
        of_language[is_unpaired] = n_concepts + np.arange(n_unpaired)
        n_concepts += n_unpaired
        numbers[language] = of_language
    return numbers, n_concepts


def _validation_bags(all_bags: Bags, drawn: Draw, task: Task, language: str) -> Bags:
    """Return the bags of the documents by which fits are compared.

    They keep all their words: a model may know more of them than those of training documents.
    """
    if task is not DOCUMENTS:
        return all_bags
    all_concepts = all_bags.documents["concept"]
    searched = drawn.held_out("validation").union(drawn.candidates_of(language))
    validation_concepts = all_concepts[all_concepts.isin(searched)]
    return all_bags.of(pd.Index(validation_concepts))


def _load_vectors(
    folders: Mapping[str, Path], words: Mapping[str, Sequence[str]]
) -> tuple[dict[str, np.ndarray], dict[str, Coverage]]:
    """Return the vector of each word, zeros where it has none; and how many words have one."""
    vectors = {}
    coverage = {}
    for language, folder in folders.items():
        known_words, rows = word_vectors.load(folder, language=language)
        vectors[language] = word_vectors.align(known_words, rows, words[language])
        coverage[language] = word_vectors.coverage(language, known_words, rows, words[language])
    return vectors, coverage


def _load_channel(
    folder: Path, language: str, columns: sparse.csr_matrix, judgements: Path | None
) -> Channel:
    """Return a language's channel: its texts as counts of the words of the training documents."""
    counted = texts.load(folder, language=language)
    documents = counted["documents"].known(columns)
    if "queries" not in counted:
        return Channel(documents.counts)
    queries = counted["queries"].known(columns)
    relevant = ad_hoc.read_relevant(judgements)
    relevance = relevance_of(
        queries.ids, documents.ids, relevant["query"], relevant["candidate"], relevant["grade"]
    )
    log.info(
        "%s: %d of %d relevant documents are of queries and documents in %r",
        judgements,
        relevance.nnz,
        len(relevant),
        language,
    )
    if not relevance.nnz:
        raise UserError(
            f"{judgements}: no query in {language!r} has a relevant document in {language!r}; are "
            "the ids the same as in the channel's files of queries and documents?"
        )
    return Channel(documents.counts, queries.counts, relevance)
