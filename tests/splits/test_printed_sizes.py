"""The Cr5 paper's Wikipedia at a hundredth of its size: who trains, among how many is searched."""

from itertools import combinations
from pathlib import Path

import pandas as pd
import pytest
import yaml

from cr5.plan.config import validated
from cr5.splits.corpus import concepts_in
from cr5.splits.draw import draw
from cr5.splits.training_documents import training
from tests.splits.conftest import table_of

WIKIPEDIA = Path(__file__).parents[2] / "config" / "papers" / "wikipedia.yaml"
# Documents of Wikipedia by their languages, in thousands, so that pairs share what Table 1 (b)
# prints and da and vi have the authors' 140,314 and 152,304 candidates: all but validation queries.
SHARED = {"da en it vi": 25, "da en it": 34, "da en": 20, "en it vi": 37, "en vi": 36, "en it": 393}
ALONE = {"da": 63, "en": 800, "it": 200, "vi": 56}
PRINTED = {("da", "en"): 79, ("da", "it"): 59, ("da", "vi"): 25}
PRINTED |= {("en", "it"): 489, ("en", "vi"): 98, ("it", "vi"): 62}


def drawn(sizes):
    """Candidates of each language and training concepts of each pair, in thousands."""
    concepts = {language: [] for language in ALONE}
    for languages, thousands in (SHARED | ALONE).items():
        for language in languages.split():
            concepts[language] += [f"{languages} {number}" for number in range(10 * thousands)]
    documents = {}
    indices = {}
    for language in ALONE:
        documents[language] = table_of(concepts[language], 100)
        indices[language] = pd.Index(concepts[language])
    pairs = list(combinations(ALONE, 2))
    held_out = draw(documents, pairs, sizes, 1)
    rows = training(indices, held_out, sizes, pairs)
    languages = list(ALONE)
    n_candidates = {}
    trained = {}
    for language in languages:
        candidates = held_out.search_space(language, languages, "test")
        n_candidates[language] = len(candidates) / 10
        trained[language] = set(concepts_in(rows, language))
    n_trained = {}
    for first, second in pairs:
        in_both = trained[first] & trained[second]
        n_trained[first, second] = len(in_both) / 10
    return n_candidates, n_trained


def test_wikipedia_is_read_so_that_training_sets_and_candidates_have_the_printed_sizes():
    """Table 1 (b) prints the pairs' documents, all of which may train but queries."""
    text = WIKIPEDIA.read_text(encoding="utf-8")
    config = validated(yaml.safe_load(text))
    sizes = config.splits
    small = {"test": 10, "validation": 10, "candidates": sizes.candidates // 100}
    candidates, trained = drawn(sizes.model_copy(update=small))
    rounded = {language: round(number) for language, number in candidates.items()}
    printed = {"da": 140.3, "en": 202.9, "it": 202.4, "vi": 152.3}
    assert rounded == pytest.approx(printed, rel=0.03)
    assert trained == pytest.approx(PRINTED, rel=0.1)
