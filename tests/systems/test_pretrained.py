import gzip

import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import UserError
from cr5.fitting import fit as fitting
from cr5.systems.pretrained import Pretrained

WORDS = {"da": ["bil", "hus", "og"], "en": ["car", "house"]}


@pytest.fixture
def training(training_of, tmp_path):
    texts = {"da": "hus 1 0\nkat 5 5\nbil 0.5 2\n", "en": "new car 9 9\ncar 0 1\nhouse 1 0.5\n"}
    for language, text in texts.items():
        (tmp_path / f"m_{language}.txt.gz").write_bytes(gzip.compress(text.encode()))
    weights = {"da": np.array([1.0, 2, 3]), "en": np.array([4.0, 2])}
    files = {x: {"path": str(tmp_path / f"m_{x}.txt.gz")} for x in texts}
    frequencies = {"da": np.array([3, 2, 5]), "en": np.array([1, 1])}
    return training_of(WORDS, weights=weights, files=files, frequencies=frequencies)


@pytest.mark.parametrize("idf", [True, False])
def test_documents_are_weighted_sums_by_hand(training, idf):
    model = fitting.fit(Pretrained(dimension=2, idf=idf), training).model
    model.check()
    counts = sparse.csr_matrix([[1, 2, 7], [0, 0, 1]])
    w = (1, 2) if idf else (1, 1)
    expected = np.array([1 * w[0] * 0.5 + 2 * w[1] * 1, 1 * w[0] * 2])
    rows = model.embed(counts, "da")
    np.testing.assert_allclose(rows[0], expected / np.linalg.norm(expected), rtol=1e-6)
    np.testing.assert_array_equal(rows[1], [0, 0])  # a document of unknown words alone


def test_unknown_words_are_counted_and_warned_of(training):
    report = fitting.fit(Pretrained(dimension=2), training).report
    assert report["words"] == {
        "da": {"file": 3, "vocabulary": 3, "with_vector": 2},
        "en": {"file": 3, "vocabulary": 2, "with_vector": 2},
    }
    assert report["warnings"] == [
        "da: 1 of 3 words, 50.0% of the text, have no vector and do not count"
    ]


def test_each_language_has_its_file():
    assert Pretrained(path="v/{language}.gz").files("da") == {"path": "v/da.gz"}
    with pytest.raises(UserError, match=r"missing path: give the path"):
        Pretrained().files("da")


@pytest.mark.parametrize(
    ("dimension", "said"),
    [
        (300, r"m_da.txt.gz, line 1: expected a word and 300 numbers"),
        (1, r"m_da.txt.gz: none of its 3 words is one of the 3 of the vocabulary"),
    ],
)
def test_another_dimension_is_refused(training, dimension, said):
    with pytest.raises(UserError, match=said):
        fitting.fit(Pretrained(dimension=dimension), training)
