"""Rows of words and of an encoder: what is learned from both, and the encoder's own beside it."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from cr5.contracts.model import CountedTexts
from cr5.models.encoded_tables import EncodedTables
from cr5.models.encoders.opening import checksum
from cr5.models.word_tables import WordTables
from tests.kit.inside import dense
from tests.tiny_encoders import write_static

WORDS = {"da": ["cat", "dog"], "en": ["cat", "dog"]}
WORD_TABLE = np.array([[1, 0], [0, 2]], np.float32)
TEXTS = ["cat", "dog", " "]
NOTHING_KNOWN = [[1, 0], [0, 0], [0, 0]]  # of "dog"
# Its rows of "cat" and "dog" are (.6, .8) and (0, 1), which its table leaves as they are. So x T +
# u U is (1.6, .8) for "cat", which as a word is (1, 0); and (0, 1) for "dog", which is no word.
LEARNED = np.array([[2, 1], [0, np.sqrt(5)], [0, 0]]) / np.sqrt(5)
ENCODED = np.array([[0.6, 0.8], [0, 1], [0, 0]])


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, {"cat": [3.0, 4], "dog": [0, 2]})
    of_words = WordTables(WORDS, dict.fromkeys(WORDS, WORD_TABLE), dict.fromkeys(WORDS, np.ones(2)))
    return EncodedTables(
        **vars(of_words),
        encoder=str(folder),
        sha256=checksum(str(folder)),
        prefix="",
        means={"en": np.zeros(2)},
        encoder_table=np.eye(2, dtype=np.float32),
    )


@pytest.fixture
def documents():
    counts = sparse.csr_matrix(np.array(NOTHING_KNOWN, np.int32))
    return CountedTexts(counts, TEXTS)


def with_strings(model):
    """The same with one column beside it, of "cat", which counts as much."""
    column = sparse.csr_matrix(np.array([[1], [0]], np.float32))
    return model.joined(
        beside=dict.fromkeys(WORDS, column),
        beside_weights=dict.fromkeys(WORDS, np.ones(2)),
        beside_term_frequency="raw",
        beta=1.0,
    )


def test_rows_by_hand(model, documents):
    [rows] = dense(model.embed(documents, "en"))
    np.testing.assert_allclose(rows, LEARNED, atol=1e-6)
    [rows] = dense(replace(model, encoder_weight=0.25).embed(documents, "en"))
    expected = np.hstack([LEARNED, 0.5 * ENCODED]) / np.sqrt(1.25)
    np.testing.assert_allclose(rows, expected, atol=1e-6)


def test_rows_with_strings_by_hand(model, documents):
    """Only "cat" has strings, so that z of the other text is what was learned alone."""
    weighed = replace(with_strings(model), encoder_weight=0.25)
    rows, strings = dense(weighed.embed(documents, "en"))
    learned = LEARNED / np.array([[np.sqrt(2)], [1], [1]])
    expected = np.hstack([learned, 0.5 * ENCODED]) / np.sqrt(1.25)
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    np.testing.assert_allclose(strings, [[np.sqrt(1 / 2.5)], [0], [0]], atol=1e-6)


def test_rows_of_a_language_that_the_encoder_does_not_know_are_those_of_words(model, documents):
    [rows] = dense(replace(model, encoder_weight=0.25).embed(documents, "da"))
    np.testing.assert_allclose(rows, [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], atol=1e-6)


@pytest.mark.parametrize("has_strings", [False, True])
@pytest.mark.parametrize("text", [0, 1, 2])
def test_parts_add_up_and_the_last_is_that_of_the_encoder(model, documents, text, has_strings):
    weighed = replace(with_strings(model) if has_strings else model, encoder_weight=0.25)
    document = CountedTexts(documents.counts[text], documents.texts[text : text + 1])
    columns, parts = weighed.parts(document, "en")
    assert columns[-1] == -1
    row = np.hstack(dense(weighed.embed(document, "en")))
    parts = np.hstack(dense(parts))
    np.testing.assert_allclose(parts.sum(axis=0), row[0], atol=1e-6)
    assert not parts[:-1, 2:4].any()
