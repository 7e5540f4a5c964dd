"""A training set with documents of which nothing says what belongs to them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.counts.bags import Bags
from cr5.counts.rules import Rules
from cr5.fitting.gathering import Extras, training_set
from cr5.fitting.options import TrainingOptions, ValidationOptions
from cr5.splits.draw import draw
from cr5.splits.options import Sizes
from cr5.splits.training_documents import paired, training

LANGUAGES = ("da", "en")
NAMES = np.array([f"c{number:02}" for number in range(80)])
SIZES = Sizes(test=8, validation=8, candidates=20, unpaired=0.5)
OPTIONS = TrainingOptions(
    bags=Rules(vocabulary="text"),
    idf="corpus",
    term_frequency="raw",
    validation=ValidationOptions(),
    csls_neighbours=0,
    seed=0,
)


@pytest.fixture
def bags():
    """Eighty documents of twelve words in each language, in an order of its own."""
    generator = np.random.default_rng(0)
    words = pd.DataFrame(
        {
            "word": [f"w{number}" for number in range(12)],
            "collection_frequency": range(12, 0, -1),
        }
    )
    by_language = {}
    for language in LANGUAGES:
        counts = sparse.csr_matrix(generator.poisson(0.5, (80, 12)).astype(np.int32))
        documents = pd.DataFrame({"concept": generator.permutation(NAMES), "n_unique": 9})
        by_language[language] = Bags(counts, words, documents)
    return by_language


def gathered(bags):
    """Draw, choose who trains, and gather."""
    documents = {language: of_language.documents for language, of_language in bags.items()}
    drawn = draw(documents, [LANGUAGES], SIZES, 0)
    indices = {language: pd.Index(table["concept"]) for language, table in documents.items()}
    trained = training(indices, drawn, SIZES, [LANGUAGES])
    found = training_set(OPTIONS, bags.items(), drawn, trained, Extras(), needs_counts=True)
    return drawn, trained, found


def test_known_documents_share_a_number_and_each_other_one_has_its_own(bags):
    _, trained, found = gathered(bags)
    known = sorted(set(paired(trained)["concept"]))
    n_documents = len(trained)
    assert found.n_concepts == len(known) + (n_documents - 2 * len(known))
    numbers_of_others = []
    for language in LANGUAGES:
        names = sorted(trained.loc[trained["language"] == language, "concept"])
        for name, number in zip(names, found.concepts[language], strict=True):
            if name in known:
                assert number == known.index(name)
            else:
                numbers_of_others.append(number)
    assert len(numbers_of_others) == n_documents - 2 * len(known) > 20
    assert sorted(numbers_of_others) == list(range(len(known), found.n_concepts))


def test_nothing_that_a_fit_is_given_depends_on_the_text_of_an_evaluation(bags):
    """Queries and candidates are given other words: all that a system learns from is the same."""
    drawn, trained, before = gathered(bags)
    changed = {}
    for language, of_language in bags.items():
        names = trained.loc[trained["language"] == language, "concept"]
        is_trained = of_language.documents["concept"].isin(names).to_numpy()
        counts = of_language.counts.toarray()
        counts[~is_trained] = counts[~is_trained][:, ::-1] + 1
        changed[language] = replace(of_language, counts=sparse.csr_matrix(counts))
        held_out = of_language.documents["concept"].isin(drawn.held_out())
        assert not is_trained[held_out].any()
        assert not is_trained.all()
    _, _, after = gathered(changed)
    for language in LANGUAGES:
        assert (before.features[language] != after.features[language]).nnz == 0
        assert (before.counts[language] != after.counts[language]).nnz == 0
        np.testing.assert_array_equal(before.concepts[language], after.concepts[language])
        np.testing.assert_array_equal(before.weights[language], after.weights[language])
        assert before.words[language] == after.words[language]
