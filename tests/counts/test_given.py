import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from cr5.base.errors import UserError
from cr5.counts import bags, given
from cr5.counts.rules import Rules
from cr5.counts.weighting import IDF, tfidf
from cr5.texts.sources.matrix import documents

RULES = Rules(min_documents=1, unique_words=(1, 100))


@pytest.fixture
def path(tmp_path):
    """40 documents, about 12 of 50 words in each; the classes are numbers, as svmlight wants it."""
    generator = np.random.default_rng(0)
    lines = []
    for number in range(40):
        words = np.flatnonzero(generator.random(50) < 0.25) + 1
        weights = " ".join(f"{word}:{generator.random() + 0.01:.6f}" for word in words)
        lines.append(f"{number % 3} {weights}\n")
    (tmp_path / "a.svm").write_text("".join(lines))
    return str(tmp_path / "a.svm")


def build(path, rules=RULES, prefix=None):
    return given.build(documents("en:", path), rules, "en", prefix)


def test_weights_are_those_of_the_file_as_scikit_learn_reads_it(path):
    built, summary = build(path)
    X, y = load_svmlight_file(path, zero_based=False)
    columns = [int(word.removeprefix("en")) - 1 for word in built.words["word"]]
    np.testing.assert_array_equal(built.counts.toarray(), X.toarray()[:, columns])
    assert built.counts.dtype == np.float64
    assert built.documents["label"].astype(int).tolist() == y.astype(int).tolist()
    assert built.documents["concept"].tolist() == [f"en:{i + 1}" for i in range(40)]
    frequency = (X.toarray() > 0).sum(axis=0)[columns]
    assert built.words["document_frequency"].tolist() == frequency.tolist()
    assert (np.diff(frequency) <= 0).all()
    assert (summary["documents"], summary["nonzeros"]) == (40, X.nnz)


def test_words_may_be_those_of_other_languages(path):
    (own, _), (shared, _) = build(path), build(path, prefix="")
    assert [f"en{word}" for word in shared.words["word"]] == own.words["word"].tolist()


def test_rules_hold_as_they_do_of_words(path):
    X = load_svmlight_file(path, zero_based=False)[0].toarray()
    kept = ((X > 0).sum(axis=1) >= 12) & ((X > 0).sum(axis=1) <= 14)
    built, _ = build(
        path, Rules(min_documents=9, max_words=20, unique_words=(12, 14), vocabulary="text")
    )
    assert built.documents["concept"].tolist() == [f"en:{i + 1}" for i in np.flatnonzero(kept)]
    assert len(built.words) == 20
    assert built.words["document_frequency"].min() >= 9
    with pytest.raises(UserError, match=r"none of its .* words is in 41 documents or more"):
        build(path, Rules(min_documents=41, unique_words=(1, 100)))


def test_files_of_classes_alone_are_refused_and_one_such_line_is_not(tmp_path):
    path = tmp_path / "a"
    path.write_text("X\nY\n")
    with pytest.raises(UserError, match="'en': "):
        build(str(path))
    path.write_text("X 2147483647:0.5 0:2\nY\n")
    built, _ = build(str(path))
    assert built.documents["concept"].tolist() == ["en:1"]
    assert built.counts.toarray().tolist() == [[2, 0.5]]
    assert built.words["word"].tolist() == ["en0", "en2147483647"]


def test_they_are_kept_to_the_last_bit_and_weigh_as_they_are(path, tmp_path):
    built, summary = build(path)
    bags.save(tmp_path / "bags", built, summary)
    loaded = bags.load(tmp_path / "bags", summary["language"])
    assert loaded.counts.dtype == np.float64
    assert (loaded.counts != built.counts).nnz == 0
    assert loaded.documents["label"].tolist() == built.documents["label"].tolist()
    weighted = tfidf(loaded.counts, IDF["none"](loaded.counts), "raw").toarray()
    dense = built.counts.toarray()
    np.testing.assert_allclose(weighted, dense / np.linalg.norm(dense, axis=1)[:, None])
