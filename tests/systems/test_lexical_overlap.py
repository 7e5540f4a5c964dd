from collections import Counter
from math import log1p, log2, sqrt

import pytest
from scipy import sparse

from cr5.fitting import fit as fitting
from cr5.systems import lexical_overlap as system

WORDS = {
    "da": ["og", "taxi", "kat", "1945"],
    "en": ["1945", "cat", "taxi"],
    "it": ["taxi", "gatto"],
}
WEIGHTS = {"da": [1.0, 2, 3, 4], "en": [2.5, 3, 1], "it": [1.0, 5]}
COUNTS = {
    "da": [[3, 1, 0, 2], [1, 0, 2, 0], [0, 0, 0, 0]],
    "en": [[1, 1, 2], [0, 1, 0], [4, 0, 1]],
    "it": [[1, 1], [0, 3], [2, 0]],
}


@pytest.fixture
def fitted(training_of):
    return fitting.fit(system, training_of(WORDS, weights=WEIGHTS, term_frequency="log"), {})


def cosine(a, b):
    dot = sum(weight * b.get(word, 0) for word, weight in a.items())
    lengths = [sqrt(sum(weight**2 for weight in each.values())) for each in (a, b)]
    return dot / (lengths[0] * lengths[1]) if all(lengths) else 0


def as_strings(language, row):
    """A document as a mapping of its strings to their weights."""
    weighted = zip(WORDS[language], WEIGHTS[language], row, strict=True)
    return Counter({word: weight * log1p(count) for word, weight, count in weighted})


@pytest.mark.parametrize(
    ("query", "target"), [("da", "en"), ("en", "da"), ("it", "da"), ("en", "en")]
)
def test_cosines_are_those_of_shared_strings(fitted, query, target):
    fitted.model.check()
    Q, C = (fitted.model.embed(sparse.csr_matrix(COUNTS[x]), x) for x in (query, target))
    found = (Q @ C.T).toarray()
    for i, j in ((i, j) for i in range(3) for j in range(3)):
        expected = cosine(
            as_strings(query, COUNTS[query][i]), as_strings(target, COUNTS[target][j])
        )
        assert found[i, j] == pytest.approx(expected, abs=1e-6)
    assert found.max() > 0.1


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
    fitted = fitting.fit(system, given, options)
    # el 7 is dropped, paris 5 and mill or the, once each, kept: by the alphabet mill
    assert fitted.report == {"strings": 2, "shared": 1}
    assert fitted.model.tables["en"].toarray().tolist() == [[1, 0], [0, 0], [0, 1]]
    assert fitted.model.tables["es"].toarray().tolist() == [[1, 0], [0, 0]]
    # paris is in all three documents, mill in one
    rows = fitted.model._weighted(counts["en"], "en").toarray()
    assert rows[0].tolist() == pytest.approx([0, 0, log2(2) * log2(3)])
