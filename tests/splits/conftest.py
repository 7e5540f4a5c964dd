"""Documents of three made-up languages: each has some of the concepts."""

import itertools

import numpy as np
import pandas as pd
import pytest

from cr5.splits.options import Sizes
from cr5.splits.training_documents import concepts

SHARES = {"da": 0.6, "en": 0.9, "vi": 0.5}


def table_of(concepts, n_unique=9):
    """A table of documents, as bags have it."""
    return pd.DataFrame({"concept": list(concepts), "n_unique": n_unique})


def tables(concepts_of):
    """Tables of documents, of concepts by language."""
    return {language: table_of(concepts) for language, concepts in concepts_of.items()}


def indices(documents):
    return {language: pd.Index(table["concept"]) for language, table in documents.items()}


def by_language(trained, languages):
    return {language: set(concepts(trained, language)) for language in languages}


@pytest.fixture(scope="session")
def pairs():
    return list(itertools.combinations(SHARES, 2))


@pytest.fixture
def source():
    """Concepts c0000.. that each language has with some probability."""
    generator = np.random.default_rng(0)
    documents = {}
    for language, share in SHARES.items():
        numbers = np.flatnonzero(generator.random(1000) < share)
        concepts = [f"c{number:04}" for number in numbers]
        documents[language] = table_of(concepts, 200)
    return documents


@pytest.fixture(scope="session")
def sizes():
    def make(**changes):
        return Sizes(**{"test": 20, "validation": 10, "candidates": 100, **changes})

    return make
