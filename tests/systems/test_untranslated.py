from collections import Counter
from math import log1p, sqrt

import pytest
from scipy import sparse

from cr5.systems import untranslated as system

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
    return system.fit(training_of(WORDS, weights=WEIGHTS, term_frequency="log"), {})


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
