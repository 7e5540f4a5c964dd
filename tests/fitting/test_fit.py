import types

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer

from cr5.base.errors import UserError
from cr5.counts.bags import Bags
from cr5.fitting import fit as fitting
from cr5.fitting import vectors
from cr5.fitting.contract import Fit
from cr5.splits import draw as splits


@pytest.fixture
def prepared():
    generator = np.random.default_rng(0)
    built = {}
    for language in ("da", "en"):
        counts = sparse.csr_matrix(generator.poisson(0.5, (200, 12)).astype(np.int32))
        words = pd.DataFrame(
            {"word": [f"w{i}" for i in range(12)], "collection_frequency": range(12, 0, -1)}
        )
        concepts = generator.permutation([f"c{i:03}" for i in range(200)])
        built[language] = Bags(counts, words, pd.DataFrame({"concept": concepts, "n_unique": 9}))
    drawn = splits.draw(
        {x: b.documents for x, b in built.items()}, [("da", "en")], splits.Sizes(10, 10, 30), 0
    )
    return built, splits.split(drawn, list(built))


def test_training_set_holds_training_documents_alone_aligned_by_concept(prepared):
    built, split = prepared
    training, weights = fitting.training_set(built, split, "raw", {}, 5, threads=3)
    rows = {x: splits.concepts(split, "train", x) for x in built}
    assert training.n_concepts == len(set(rows["da"]) | set(rows["en"]))
    for x in built:
        counts = built[x].counts[built[x].rows(rows[x])]
        expected = TfidfTransformer(smooth_idf=False).fit(counts)
        np.testing.assert_allclose(
            training.features[x].toarray(), expected.transform(counts).toarray()
        )
        np.testing.assert_allclose(weights[x], expected.idf_)
    # the same concept has the same number in both languages
    numbers = [dict(zip(rows[x], training.concepts[x], strict=True)) for x in built]
    assert all(numbers[0][c] == numbers[1][c] for c in set(rows["da"]) & set(rows["en"]))
    assert training.vectors is None
    assert (training.seed, training.threads) == (5, 3)


def test_vectors_are_aligned_with_the_vocabulary(prepared, tmp_path):
    built, split = prepared
    for x in built:
        vectors.save(
            tmp_path / x, ["w3", "other", "w0"], np.arange(6, dtype=np.float32).reshape(3, 2)
        )
    training, _ = fitting.training_set(built, split, "raw", {x: tmp_path / x for x in built}, 0)
    expected = np.zeros((12, 2))
    expected[3], expected[0] = [0, 1], [4, 5]
    for x in built:
        np.testing.assert_array_equal(training.vectors[x], expected)


def test_a_system_from_its_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def fit(training, options): return options\n")
    assert fitting.load_system(path).fit(None, 3) == 3


def test_a_file_without_fit(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("")
    with pytest.raises(UserError, match=r"mine\.py: a system needs a function fit"):
        fitting.load_system(path)


def system(tables):
    return types.SimpleNamespace(
        __name__="toy", fit=lambda training, options: Fit(tables, {"options": options})
    )


def test_fit_makes_word_tables_and_hands_on_the_options(prepared):
    built, split = prepared
    training, weights = fitting.training_set(built, split, "log", {}, 0)
    given = {x: np.full((12, 3), 0.5) for x in built}
    options = {"rank": 2, "module": "toy"}
    tables, report = fitting.fit(system(given), training, weights, "log", options)
    assert report == {"options": {"rank": 2}}
    for x in built:
        assert tables[x].vectors.dtype == np.float32
        assert tables[x].words == [f"w{i}" for i in range(12)]
        assert tables[x].term_frequency == "log"
        np.testing.assert_array_equal(tables[x].weights, weights[x])


@pytest.mark.parametrize(
    ("returned", "expected"),
    [
        ({"da": 1}, "must return cr5.fitting.contract.Fit"),
        (Fit({}, {"n": np.int64(3)}), "plain numbers"),
        (Fit({"da": np.ones((12, 2)), "en": np.ones((12, 3))}), "differ in width"),
    ],
)
def test_what_a_system_returns_is_checked(prepared, returned, expected):
    built, split = prepared
    training, weights = fitting.training_set(built, split, "raw", {}, 0)
    toy = types.SimpleNamespace(__name__="toy", fit=lambda training, options: returned)
    with pytest.raises(UserError, match=f"toy.*{expected}"):
        fitting.fit(toy, training, weights, "raw", {})


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (None, "found NoneType"),
        ([[1.0] * 2] * 12, "found list"),
        (np.ones((5, 2)), r"a row for each of its 12 words, found shape \(5, 2\)"),
        (np.full((12, 2), np.nan), "not finite"),
        (sparse.csr_matrix(np.full((12, 2), np.inf)), "not finite"),
    ],
)
def test_a_wrong_table_is_refused(prepared, table, expected):
    built, split = prepared
    training, weights = fitting.training_set(built, split, "raw", {}, 0)
    tables = {"da": np.ones((12, 2))} | ({} if table is None else {"en": table})
    with pytest.raises(UserError, match=f"toy.*'en'.*{expected}"):
        fitting.fit(system(tables), training, weights, "raw", {})
