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

LANGUAGES = ("da", "en")  # of which the encoder knows the second
TEXTS = ["cat", "dog", " "]
WORDS = ["cat", "dog"]
COUNTS = [[1, 0], [0, 0], [0, 0]]  # as if "dog" were not known
WORD_TABLE = [[1, 0], [0, 2]]
STRINGS = [[1], [0]]  # a column of "cat" alone
ENCODED = [[0.6, 0.8], [0, 1], [0, 0]]
MAPPED = [[1, 0], [0, 1]]  # as they are
# x T + u U is (1.6, .8) for "cat", which as a word is (1, 0); and u for "dog", which is no word.
LEARNED = [[0.8**0.5, 0.2**0.5], [0, 1], [0, 0]]
WEIGHT = 0.25
LENGTH = 1.25**0.5  # of both side by side


def of_each_language(values):
    return dict.fromkeys(LANGUAGES, values)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("encoder")
    write_static(folder, {"cat": [3.0, 4], "dog": [0, 2]})
    table = np.array(WORD_TABLE, np.float32)
    of_words = WordTables(
        words=of_each_language(WORDS),
        tables=of_each_language(table),
        weights=of_each_language(np.ones(2)),
    )
    return EncodedTables(
        **vars(of_words),
        encoder=str(folder),
        sha256=checksum(str(folder)),
        prefix="",
        means={"en": np.zeros(2)},
        encoder_table=np.array(MAPPED, np.float32),
    )


@pytest.fixture(scope="module")
def weighed(model):
    return replace(model, encoder_weight=WEIGHT)


@pytest.fixture(scope="module")
def with_strings(weighed):
    """The same with a column of strings beside it, which counts as much."""
    column = sparse.csr_matrix(np.array(STRINGS, np.float32))
    return weighed.joined(
        beside=of_each_language(column),
        beside_weights=of_each_language(np.ones(2)),
        beside_term_frequency="raw",
        beta=1.0,
    )


def documents(first=0, last=3):
    counts = sparse.csr_matrix(np.array(COUNTS, np.int32))
    return CountedTexts(counts[first:last], TEXTS[first:last])


def side_by_side(learned):
    """What was learned, and half of the encoder's rows: the root of the weight."""
    joined = np.hstack([learned, 0.5 * np.array(ENCODED)])
    return joined / LENGTH


def test_without_a_weight_rows_are_what_was_learned(model):
    [rows] = dense(model.embed(documents(), "en"))
    np.testing.assert_allclose(rows, LEARNED, atol=1e-6)


def test_rows_by_hand(weighed):
    [rows] = dense(weighed.embed(documents(), "en"))
    np.testing.assert_allclose(rows, side_by_side(LEARNED), atol=1e-6)


def test_rows_with_strings_by_hand(with_strings):
    """The text "dog" has no strings: what is beside the encoder was learned alone."""
    rows, strings = dense(with_strings.embed(documents(), "en"))
    learned = np.array(LEARNED)
    learned[0] /= 2**0.5
    np.testing.assert_allclose(rows, side_by_side(learned), atol=1e-6)
    of_cat = 0.5**0.5 / LENGTH
    np.testing.assert_allclose(strings, [[of_cat], [0], [0]], atol=1e-6)


def test_rows_of_a_language_that_the_encoder_does_not_know_are_those_of_words(weighed):
    [rows] = dense(weighed.embed(documents(), "da"))
    expected = [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    np.testing.assert_allclose(rows, expected, atol=1e-6)


@pytest.mark.parametrize("text", range(3))
@pytest.mark.parametrize("name", ["weighed", "with_strings"])
def test_parts_add_up_and_the_last_is_that_of_the_encoder(request, name, text):
    tables = request.getfixturevalue(name)
    document = documents(text, text + 1)
    columns, parts = tables.parts(document, "en")
    assert columns[-1] == -1
    row = tables.embed(document, "en")
    for numbers, summands in zip(dense(row), dense(parts), strict=True):
        np.testing.assert_allclose(summands.sum(axis=0), numbers[0], atol=1e-6)
    of_learned_and_encoder, *_ = dense(parts)
    of_words = of_learned_and_encoder[:-1]
    assert not of_words[:, 2:].any()
