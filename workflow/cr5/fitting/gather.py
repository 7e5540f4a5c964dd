"""Gather what a system may see: from bags, draw and setting to its training set."""

from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path

import pandas as pd

from cr5.counts.bags import Bags
from cr5.counts.rules import Weighting
from cr5.counts.weighting import IDF, tfidf
from cr5.fitting import vectors
from cr5.fitting.alignments import read_alignments
from cr5.fitting.channels import Channel
from cr5.fitting.contract import TrainingSet
from cr5.fitting.criteria import CRITERIA
from cr5.fitting.seeds import Seeds
from cr5.fitting.validation import DOCUMENTS, Task, validation
from cr5.fitting.validation_options import ValidationOptions
from cr5.splits.drawn import Draw
from cr5.splits.options import Pair
from cr5.splits.settings import concepts

CHOICE = ValidationOptions()


def training_set(
    bags: Mapping[str, Bags],
    drawn: Draw,
    trained: pd.DataFrame,
    term_frequency: str,
    seed: int,
    threads: int = 1,
    vector_files: Mapping[str, str | Path] | None = None,
    alignment_files: Mapping[tuple[str, str], str | Path] | None = None,
    with_counts: bool = False,
    choice: ValidationOptions = CHOICE,
    files: Mapping[str, Mapping[str, str]] | None = None,
    pairs: Collection[Pair] | None = None,
    seeds: Seeds | None = None,
    task: Task = DOCUMENTS,
    idf: str = Weighting().idf,
    channels: Mapping[str, Channel] | None = None,
    asked: Mapping[str, Bags] | None = None,
) -> TrainingSet:
    """Gather what a system may see.

    Args:
        bags: by language of the setting; with their texts if the system needs them.
        drawn: queries and candidates, for validation.
        trained: the setting's training documents, see `splits.settings.training`.
        term_frequency: transformation of counts, see `Weighting`.
        seed: of the repetition.
        threads: that the fit and its validation may use; their number changes no result.
        vector_files: by language, files written by `vectors.save`; None if the system needs none.
        alignment_files: by source and target language, word translation tables; None if the system
            needs none.
        with_counts: whether the system needs counts besides features.
        choice: how hyperparameters are chosen.
        files: the system's own files, by language, then by option.
        pairs: of languages that are searched, and so validated; None for all.
        seeds: word pairs to start from; None unless the system needs them.
        task: whose searches choose hyperparameters.
        idf: `corpus` weights words by their idf in the training documents; `none` takes counts that
            are already weights as they are.
        channels: by language that has one, in the words of `bags`; None if the system needs none.
        asked: by language, documents that validation queries ask for with all their words, of which
            a model may know more than those of `bags`; None for the documents of `bags`.
    """
    languages, criterion = tuple(sorted(bags)), CRITERIA[choice.criterion]
    found = {x: concepts(trained, x) for x in languages}
    numbers = pd.Index(sorted(set().union(*found.values())))
    counts = {x: bags[x].counts[bags[x].rows(found[x])] for x in languages}
    weights = {x: IDF[idf](counts[x]) for x in languages}
    words = {x: bags[x].words["word"].tolist() for x in languages}
    return TrainingSet(
        languages=languages,
        words=words,
        features={x: tfidf(counts[x], weights[x], term_frequency) for x in languages},
        concepts={x: numbers.get_indexer(found[x]) for x in languages},
        n_concepts=len(numbers),
        weights=weights,
        term_frequency=term_frequency,
        frequencies={x: bags[x].words["collection_frequency"].to_numpy() for x in languages},
        validate=validation(asked or bags, drawn, languages, threads, criterion, pairs, task),
        seed=seed,
        threads=threads,
        counts=counts if with_counts else None,
        texts={x: partial(bags[x].texts, found[x]) for x in languages if bags[x].texts} or None,
        vectors=_vectors(vector_files or {}, words),
        seeds=seeds,
        alignments=read_alignments(alignment_files, words) if alignment_files else None,
        channels=channels or {},
        files=files,
        criterion=criterion,
        extend=choice.extend,
    )


def _vectors(files: Mapping[str, str | Path], words: Mapping[str, list[str]]):
    return {
        x: vectors.align(*vectors.load(f, language=x), words[x]) for x, f in files.items()
    } or None
