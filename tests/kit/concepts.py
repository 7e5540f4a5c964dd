"""Bags of three made-up languages, in which a concept has nearly the same bag; and their draw."""

import itertools

import numpy as np
import pandas as pd
from scipy import sparse

from cr5.counts.bags import Bags
from cr5.models.word_tables import WordTables
from cr5.splits.draw import draw
from cr5.splits.options import Sizes

LANGUAGES = ("da", "en", "vi")
N_CONCEPTS = 400
N_WORDS = 30
WORDS = {language: [f"{language}{number}" for number in range(N_WORDS)] for language in LANGUAGES}


def made_bags(noise=0.05):
    """Counts that languages share, and others, whose mean is `noise`."""
    generator = np.random.default_rng(0)
    shared = generator.poisson(1.0, (N_CONCEPTS, N_WORDS))
    concepts = [f"c{number:03}" for number in range(N_CONCEPTS)]
    bags = {}
    for language in LANGUAGES:
        counts = sparse.csr_matrix(shared + generator.poisson(noise, shared.shape))
        documents = pd.DataFrame({"concept": concepts, "n_unique": 9})
        words = pd.DataFrame({"word": WORDS[language]})
        bags[language] = Bags(counts.astype(np.int32), words, documents)
    return bags


def made_draw(bags):
    """Test and validation queries of each pair."""
    documents = {language: bags[language].documents for language in LANGUAGES}
    pairs = list(itertools.combinations(LANGUAGES, 2))
    return draw(documents, pairs, Sizes(test=30, validation=20, candidates=100), 0)


def made_model():
    """Every word is a dimension, the same one in all languages."""
    table = np.eye(N_WORDS, dtype=np.float32)
    weights = np.ones(N_WORDS)
    return WordTables(WORDS, dict.fromkeys(LANGUAGES, table), dict.fromkeys(LANGUAGES, weights))
