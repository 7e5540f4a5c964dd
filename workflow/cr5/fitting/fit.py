"""Fits one system in one setting: from bags and split to a model."""

import importlib.util
import json
import logging
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.counts.weighting import inverse_document_frequency, tfidf
from cr5.fitting import vectors
from cr5.fitting.contract import Fit, TrainingSet
from cr5.fitting.validation import validation
from cr5.models.word_tables import WordTable
from cr5.splits import draw as splits

log = logging.getLogger(__name__)


def training_set(
    bags: Mapping[str, Bags],
    split: pd.DataFrame,
    term_frequency: str,
    vector_files: Mapping[str, str | Path],
    seed: int,
    threads: int = 1,
) -> tuple[TrainingSet, dict[str, np.ndarray]]:
    """Gather what a system may see.

    Args:
        bags: by language of the setting.
        split: of the setting.
        term_frequency: how counts enter.
        vector_files: by language, what `vectors.save` wrote; empty if the system needs none.
        seed: of the run.
        threads: that the fit and its validation may use; changes no result.

    Returns:
        The training set, and per language the idf of each word.
    """
    trained = {x: splits.concepts(split, "train", x) for x in bags}
    numbers = pd.Index(sorted(set().union(*trained.values())))
    counts = {x: bags[x].counts[bags[x].rows(trained[x])] for x in bags}
    weights = {x: inverse_document_frequency(counts[x]) for x in bags}
    words = {x: bags[x].words["word"].tolist() for x in bags}
    training = TrainingSet(
        languages=tuple(bags),
        words=words,
        features={x: tfidf(counts[x], weights[x], term_frequency) for x in bags},
        concepts={x: numbers.get_indexer(trained[x]) for x in bags},
        n_concepts=len(numbers),
        vectors={x: vectors.align(*vectors.load(f), words[x]) for x, f in vector_files.items()}
        or None,
        frequencies={x: bags[x].words["collection_frequency"].to_numpy() for x in bags},
        validate=validation(bags, split, weights, term_frequency, threads),
        seed=seed,
        threads=threads,
    )
    return training, weights


def load_system(path: str | Path) -> ModuleType:
    """Import a system from its file.

    Raises:
        UserError: the module has no function `fit`.
    """
    path = Path(path)
    spec = importlib.util.spec_from_file_location(f"cr5_system_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not callable(getattr(module, "fit", None)):
        raise UserError(f"{path}: a system needs a function fit(training, options) -> Fit")
    return module


def fit(
    system: ModuleType,
    training: TrainingSet,
    weights: Mapping[str, np.ndarray],
    term_frequency: str,
    options: Mapping[str, Any],
) -> tuple[dict[str, WordTable], dict[str, Any]]:
    """Fit a system and check what it returns.

    Returns:
        Word tables by language, and the system's report.

    Raises:
        UserError: not a `Fit`, a table of the wrong shape or with values that are not finite,
            or a report that cannot be written as JSON.
    """
    options = {key: value for key, value in options.items() if key != "module"}
    fitted = system.fit(training, options)
    _check_report(fitted, system.__name__)
    for language in training.languages:
        _check(fitted, language, len(training.words[language]), system.__name__)
    dimensions = {x: fitted.tables[x].shape[1] for x in training.languages}
    if len(set(dimensions.values())) > 1:
        raise UserError(f"{system.__name__}: the languages' tables differ in width: {dimensions}")
    tables = {
        x: WordTable(
            training.words[x], weights[x], fitted.tables[x].astype(np.float32), term_frequency
        )
        for x in training.languages
    }
    return tables, fitted.report


def _check_report(fitted: Fit, name: str) -> None:
    if not isinstance(fitted, Fit):
        raise UserError(
            f"{name}: fit must return cr5.fitting.contract.Fit, returned {type(fitted)}"
        )
    try:
        json.dumps(fitted.report)
    except (TypeError, ValueError) as error:
        raise UserError(
            f"{name}: the report of a fit must hold plain numbers, text, lists and dictionaries: "
            f"{error}"
        ) from error


def _check(fitted: Fit, language: str, n_words: int, name: str) -> None:
    table = fitted.tables.get(language)
    if getattr(table, "ndim", 0) != 2 or table.shape[0] != n_words:
        shape = getattr(table, "shape", None)
        found = f"shape {shape}" if shape is not None else f"{type(table).__name__}"
        raise UserError(
            f"{name}: expected for language {language!r} a table with a row for each of its "
            f"{n_words} words, found {found}"
        )
    if not np.isfinite(table.data if hasattr(table, "indptr") else table).all():
        raise UserError(
            f"{name}: the table of language {language!r} has values that are not finite"
        )
