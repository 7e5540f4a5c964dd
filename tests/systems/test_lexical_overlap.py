from math import log2

import pytest
from scipy import sparse

from cr5.fitting import fit as fitting
from cr5.systems.lexical_overlap import LexicalOverlap

WORDS = {
    "da": ["og", "taxi", "kat", "1945"],
    "en": ["1945", "cat", "taxi"],
    "it": ["taxi", "gatto"],
}
WEIGHTS = {"da": [1.0, 2, 3, 4], "en": [2.5, 3, 1], "it": [1.0, 5]}


@pytest.fixture
def fitted(training_of):
    return fitting.fit(LexicalOverlap(), training_of(WORDS, weights=WEIGHTS, term_frequency="log"))


def test_report_counts_strings(fitted):
    # 1945, cat, gatto, kat, og, taxi; of these 1945 and taxi are in two languages or more
    assert fitted.report == {"strings": 6, "shared": 2}
    assert {x: table.shape for x, table in fitted.model.tables.items()} == {
        "da": (4, 6),
        "en": (3, 6),
        "it": (2, 6),
    }


def test_the_weights_of_the_paper(training_of):
    counts = {"en": sparse.csr_matrix([[3, 0, 1], [1, 1, 0]]), "es": sparse.csr_matrix([[1, 7]])}
    words = {"en": ["paris", "the", "mill"], "es": ["paris", "el"]}
    given = training_of(words, counts=counts)
    options = {"paper_weights": True, "skip_words": 1, "max_words": 2}
    fitted = fitting.fit(LexicalOverlap(**options), given)
    # el 7 is dropped, paris 5 and mill or the, once each, kept: by the alphabet mill
    assert fitted.report == {"strings": 2, "shared": 1}
    assert fitted.model.tables["en"].toarray().tolist() == [[1, 0], [0, 0], [0, 1]]
    assert fitted.model.tables["es"].toarray().tolist() == [[1, 0], [0, 0]]
    # paris is in all three documents, mill in one
    rows = fitted.model._weighted(counts["en"], "en").toarray()
    assert rows[0].tolist() == pytest.approx([0, 0, log2(2) * log2(3)])
