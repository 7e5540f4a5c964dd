import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer

from cr5.base.errors import UserError
from cr5.fitting import vectors
from cr5.fitting.gather import training_set


def train_of(prepared, language):
    trained = prepared[2]
    return sorted(trained.loc[trained["language"] == language, "concept"])


def test_training_set_holds_training_documents_alone_aligned_by_concept(prepared):
    bags, drawn, trained = prepared
    training = training_set(bags, drawn, trained, "raw", 5, threads=3)
    rows = {x: train_of(prepared, x) for x in bags}
    assert training.languages == ("da", "en")
    assert training.n_concepts == len(set(rows["da"]) | set(rows["en"]))
    for x in bags:
        counts = bags[x].counts[bags[x].rows(rows[x])]
        expected = TfidfTransformer(smooth_idf=False).fit(counts)
        np.testing.assert_allclose(
            training.features[x].toarray(), expected.transform(counts).toarray()
        )
        np.testing.assert_allclose(training.weights[x], expected.idf_)
        assert training.words[x] == [f"w{i}" for i in range(12)]
        assert training.frequencies[x].tolist() == list(range(12, 0, -1))
    # the same concept has the same number in both languages, and numbers are of their order
    every = sorted(set(rows["da"]) | set(rows["en"]))
    for x in bags:
        assert training.concepts[x].tolist() == [every.index(concept) for concept in rows[x]]
    assert (training.seed, training.threads) == (5, 3)
    assert training.vectors is None
    assert training.alignments is None


@pytest.mark.parametrize(("kind", "sublinear"), [("log", np.log1p), ("binary", np.sign)])
def test_counts_enter_as_asked_for(prepared, kind, sublinear):
    bags, drawn, trained = prepared
    training = training_set(bags, drawn, trained, kind, 0)
    assert training.term_frequency == kind
    counts = bags["da"].counts[bags["da"].rows(train_of(prepared, "da"))].toarray()
    rows = sublinear(counts.astype(float)) * (np.log(len(counts) / (counts > 0).sum(axis=0)) + 1)
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    np.testing.assert_allclose(training.features["da"].toarray(), rows / lengths)


def test_vectors_are_aligned_with_the_vocabulary(prepared, tmp_path):
    bags, drawn, trained = prepared
    files = {x: tmp_path / x for x in bags}
    for x, number in (("da", 0), ("en", 10)):
        rows = np.arange(6, dtype=np.float32).reshape(3, 2) + number
        vectors.save(files[x], ["w3", "other", "w0"], rows, language=x)
    turned = dict(zip(files, reversed(files.values()), strict=True))
    with pytest.raises(UserError, match=r"expected word vectors of language '(da|en)', found"):
        training_set(bags, drawn, trained, "raw", 0, vector_files=turned)
    training = training_set(bags, drawn, trained, "raw", 0, vector_files=files)
    expected = np.zeros((12, 2))
    expected[3], expected[0] = [0, 1], [4, 5]
    np.testing.assert_array_equal(training.vectors["da"], expected)
    expected[[0, 3]] += 10
    np.testing.assert_array_equal(training.vectors["en"], expected)


def test_alignments_are_of_the_vocabularies(prepared, tmp_path):
    bags, drawn, trained = prepared
    files = {("da", "en"): tmp_path / "da-en", ("en", "da"): tmp_path / "en-da"}
    files["da", "en"].write_text("w1\tw2\t0.5\nw1\tother\t0.5\n")
    files["en", "da"].write_text("w0\tw11\t1\n")
    alignments = training_set(bags, drawn, trained, "raw", 0, alignment_files=files).alignments
    expected = np.zeros((12, 12))
    expected[1, 2] = 0.5
    np.testing.assert_array_equal(alignments["da"]["en"].toarray(), expected)
    assert alignments["en"]["da"][0, 11] == 1


def test_validation_is_of_the_languages_given(prepared):
    bags, drawn, trained = prepared
    training = training_set(bags, drawn, trained, "raw", 0)
    same = training.model(dict.fromkeys(bags, np.eye(12)))
    score = training.validate(same)
    # all words alike: every candidate is a tie, and the answer comes last
    blind = training.model(dict.fromkeys(bags, np.ones((12, 1))))
    n = len(drawn.search_space("da", ("da", "en"), "validation"))
    assert training.validate(blind) == pytest.approx(1 / n, rel=0.2)
    assert score > training.validate(blind)


def test_counts_are_given_where_they_are_needed(prepared):
    without, given = (
        training_set(*prepared, "log", 0, with_counts=needed) for needed in (False, True)
    )
    assert without.counts is None
    bags = prepared[0]
    for x in bags:
        rows = bags[x].rows(train_of(prepared, x))
        assert (given.counts[x] != bags[x].counts[rows]).nnz == 0
