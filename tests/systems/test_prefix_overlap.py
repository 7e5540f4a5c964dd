from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from scipy import sparse

from cr5.fitting import fit as fitting
from cr5.systems.prefix_overlap import PrefixOverlap

WORDS = {"en": ["mexican", "mexico", "of", "berlin"], "es": ["méxico", "de", "berlinés"]}
TRAINED = {"en": [[1, 0, 1, 0], [0, 0, 1, 1]], "es": [[0, 1, 0], [1, 1, 1], [1, 0, 0]]}
COUNTS = {
    "en": [[4, 1, 2, 0], [0, 0, 1, 9], [0, 0, 0, 0]],
    "es": [[1, 3, 0], [0, 1, 2], [2, 0, 2]],
}
# shares of training documents, where they are largest: 1 of 2, 2 of 3; 1 of 2; 2 of 2; 2 of 3
WEIGHTS = {
    "mexic": -log(2.5 / 4),
    "berli": -log(1.5 / 3),
    "of": -log(2.5 / 3),
    "de": -log(2.5 / 4),
}
BEGINNINGS = {"en": ["mexic", "mexic", "of", "berli"], "es": ["mexic", "de", "berli"]}


@pytest.fixture
def fitted(training_of):
    features = {x: sparse.csr_matrix(np.array(rows, float)) for x, rows in TRAINED.items()}
    return fitting.fit(PrefixOverlap(), training_of(WORDS, features=features))


def by_hand(language, bag):
    row = Counter()
    for beginning, count in zip(BEGINNINGS[language], bag, strict=True):
        row[beginning] += sqrt(count) * WEIGHTS[beginning]
    return row


def cosine(a, b):
    dot = sum(value * b[key] for key, value in a.items())
    lengths = [sqrt(sum(value**2 for value in each.values())) for each in (a, b)]
    return dot / (lengths[0] * lengths[1]) if all(lengths) else 0


def test_cosines_are_those_of_beginnings(fitted):
    fitted.model.check()
    rows = {x: fitted.model.embed(sparse.csr_matrix(COUNTS[x]), x) for x in WORDS}
    assert all(map(sparse.issparse, rows.values()))
    found = (rows["en"] @ rows["es"].T).toarray()
    expected = [
        [cosine(by_hand("en", q), by_hand("es", c)) for c in COUNTS["es"]] for q in COUNTS["en"]
    ]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert found[0, 0] > 0.4 > found[0, 1]


def test_report_counts_beginnings(fitted):
    assert fitted.report == {"strings": 4}


def test_a_language_whose_words_are_all_new_is_compared_too(training_of):
    words = {"en": ["berlin", "of"], "es": ["berlín"]}
    model = fitting.fit(PrefixOverlap(letters=6), training_of(words)).model
    rows = {x: model.embed(sparse.csr_matrix(np.ones((1, len(words[x])))), x) for x in words}
    assert (rows["en"] @ rows["es"].T).toarray().item() == pytest.approx(sqrt(0.5))


def test_documents_of_two_scripts_share_what_sounds_alike(training_of):
    pytest.importorskip("anyascii", reason="the extra scripts is not installed")
    words = {"en": ["text", "window"], "ru": ["текст", "окно"]}
    cosines = {}
    for scripts in ("sounds", "latin", "own"):
        model = fitting.fit(PrefixOverlap(scripts=scripts), training_of(words)).model
        rows = {x: model.embed(sparse.csr_matrix(np.ones((1, 2))), x) for x in words}
        cosines[scripts] = (rows["en"] @ rows["ru"].T).toarray().item()
    # the one document of each language has none of the words: all weigh the same
    assert cosines == pytest.approx({"sounds": 0.5, "latin": 0, "own": 0})
