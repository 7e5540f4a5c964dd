import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cr5.tasks.base import Texts, one_answer_each


def texts(names, seed=0):
    counts = np.random.default_rng(seed).poisson(1, (len(names), 30)) + 1
    return Texts(pd.Index(list(names), dtype=str), sparse.csr_matrix(counts))


def test_some_texts_in_the_order_given():
    whole = texts("abcd")
    some = whole.select(pd.Index(["d", "b"]))
    assert some.ids.tolist() == ["d", "b"]
    np.testing.assert_array_equal(some.counts.toarray(), whole.counts.toarray()[[3, 1]])
    assert some.whole is whole
    assert some.rows.tolist() == [3, 1]


def test_an_unknown_text():
    with pytest.raises(KeyError, match="x"):
        texts("abcd").select(pd.Index(["b", "x"]))


def test_texts_of_bags(bags):
    found = Texts.of_bags(bags["da"], pd.Index(["c007", "c002"]))
    assert found.ids.tolist() == ["c007", "c002"]
    np.testing.assert_array_equal(found.counts.toarray(), bags["da"].counts.toarray()[[7, 2]])


def test_one_answer_each():
    found = one_answer_each(pd.Index(["b", "a"]), pd.Index(["a", "x", "b"]))
    assert found.toarray().tolist() == [[0, 0, 1], [1, 0, 0]]
    with pytest.raises(KeyError, match="c"):
        one_answer_each(pd.Index(["a", "c"]), pd.Index(["a", "x", "b"]))
