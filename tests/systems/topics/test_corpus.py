import numpy as np
import pytest
from scipy import sparse

from cr5.base.errors import LeftOutError
from cr5.systems.projections.columns import ColumnSettings, columns
from cr5.systems.topics.corpus import coupled, joined, make_corpus

WORDS = {"da": ["og", "taxi", "kat"], "en": ["cat", "taxi"]}
COUNTS = {"da": [[4, 1, 0], [3, 0, 2], [2, 0, 0]], "en": [[1, 2], [5, 0], [0, 1]]}
CONCEPTS = {"da": [2, 0, 3], "en": [0, 1, 2]}


@pytest.fixture
def given(training_of):
    """Of four concepts two are in both languages; `og`, the most frequent word, is dropped."""
    training = training_of(
        WORDS,
        counts={x: sparse.csr_matrix(np.array(rows, np.int32)) for x, rows in COUNTS.items()},
        concepts={x: np.array(numbers) for x, numbers in CONCEPTS.items()},
        n_concepts=4,
    )
    return training, columns(training.words, training.counts, ColumnSettings(skip_words=1))


# columns by frequency: cat 6, taxi 4, kat 2


def test_a_concept_has_the_words_of_all_its_languages(given):
    corpus = joined(*given)
    # concept 3 has only a dropped word
    expected = [[1, 2, 2], [5, 0, 0], [0, 2, 0]]
    np.testing.assert_array_equal(corpus.counts.toarray(), expected)
    assert corpus.n_pairs == 0
    np.testing.assert_array_equal(corpus.tokens, [5, 5, 2])
    np.testing.assert_array_equal(corpus.frequencies, [6, 4, 2])


def test_documents_of_a_concept_in_both_languages_are_a_pair(given):
    corpus = coupled(*given)
    # concepts 0 and 2, Danish before English; then concept 1 in English alone
    expected = [[0, 0, 2], [1, 2, 0], [0, 1, 0], [0, 1, 0], [5, 0, 0]]
    np.testing.assert_array_equal(corpus.counts.toarray(), expected)
    assert corpus.n_pairs == 2


def test_entries_by_word_are_those_by_document(given):
    corpus = coupled(*given)
    by_word = corpus.by_word
    assert by_word.has_sorted_indices
    numbers = sorted(by_word.data)
    assert numbers == list(range(corpus.counts.nnz))
    for word in range(3):
        part = slice(*by_word.indptr[word : word + 2])
        of_word = corpus.counts.indices[by_word.data[part]]
        np.testing.assert_array_equal(of_word, word)
        rows = np.searchsorted(corpus.counts.indptr, by_word.data[part], "right") - 1
        np.testing.assert_array_equal(by_word.indices[part], rows)


def test_more_than_two_languages_are_refused(training_of):
    training = training_of({x: ["a"] for x in ("da", "en", "it")})
    with pytest.raises(LeftOutError, match="not of da, en, it: fit it in settings of kind pairw"):
        coupled(training, None)


def test_documents_without_words_are_no_corpus():
    with pytest.raises(LeftOutError, match="no training document has a word that is kept"):
        make_corpus(sparse.csr_matrix((3, 2)), 0)
