import numpy as np
import pytest

from cr5.base.errors import UserError
from cr5.systems.mapping import pivot
from cr5.systems.mapping.refinement import RefinementSettings

OPTIONS = {"pivot": None, "centre": False} | vars(RefinementSettings(rounds=2, neighbours=5))


@pytest.fixture
def training(training_of):
    def make(spaces, words=None, **given):
        words = words or {x: [f"w{i}" for i in range(len(spaces[x]))] for x in spaces}
        return training_of(words, vectors=spaces, **given)

    return make


def test_choice_of_the_pivot():
    assert pivot.choose_pivot(["da", "en", "it"], None) == "en"
    assert pivot.choose_pivot(["da", "it"], None) == "da"
    assert pivot.choose_pivot(["da", "en_gb"], None) == "en_gb"
    assert pivot.choose_pivot(["en_gb", "en"], None) == "en"
    assert pivot.choose_pivot(["da", "it"], "it") == "it"
    with pytest.raises(UserError, match=r"option pivot: 'fr' is not a language .* \(da, it\)"):
        pivot.choose_pivot(["da", "it"], "fr")


def test_space_is_ranked_by_frequency_without_missing_words(training):
    vectors = np.array([[3, 4], [0, 0], [0, 2], [5, 0]], np.float32)
    given = training(
        {"en": vectors}, {"en": ["a", "b", "c", "d"]}, frequencies={"en": np.array([1, 9, 7, 7])}
    )
    space = pivot.space_of(given, "en", centre=False)
    assert space.words == ["c", "d", "a"]
    assert space.rows.tolist() == [2, 3, 0]
    np.testing.assert_allclose(space.vectors, [[0, 1], [1, 0], [0.6, 0.8]])


def test_centring_by_hand(training):
    vectors = np.array([[2, 0], [0, 1]], np.float32)
    space = pivot.space_of(training({"en": vectors}), "en", centre=True)
    h = np.sqrt(0.5)  # mean (0.5, 0.5); differences +-(0.5, -0.5), made unit length
    np.testing.assert_allclose(space.vectors, [[h, -h], [-h, h]], atol=1e-6)


def test_a_language_without_vectors(training):
    given = training({"en": np.zeros((3, 2), np.float32)})
    with pytest.raises(UserError, match="word vectors of en: none of the 3 words"):
        pivot.space_of(given, "en", centre=False)


def test_languages_of_different_dimension(training):
    given = training({"en": np.ones((3, 2), np.float32), "it": np.ones((3, 4), np.float32)})
    with pytest.raises(UserError, match="the languages differ in dimension"):
        pivot.fit_to_pivot(given, OPTIONS, lambda source, target: [])


def test_the_best_of_several_starts_is_kept(training, rotated_copy):
    X, Y, Q = rotated_copy(n=300, noise=0.01)
    X = X.copy()
    X[7] = 0  # a word without a vector
    seen = []
    given = training({"it": X, "en": Y}, validate=lambda model: seen.append(model) or len(seen))
    junk, good = np.eye(20, dtype=np.float32), Q
    starts = [pivot.Start(junk, {"name": "junk"}), pivot.Start(good, {"name": "good"})]
    fit = pivot.fit_to_pivot(given, OPTIONS, lambda source, target: iter(starts))
    report = fit.report["languages"]["it"]
    assert fit.report["pivot"] == "en"
    assert list(fit.report["languages"]) == ["it"]
    assert report["words"] == 299
    assert report["best_start"] == 1
    assert [start["name"] for start in report["starts"]] == ["junk", "good"]
    assert [len(start["refinement"]) for start in report["starts"]] == [3, 3]
    np.testing.assert_array_equal(fit.model.tables["en"], Y)
    assert not fit.model.tables["it"][7].any()
    others = np.arange(300) != 7
    np.testing.assert_allclose(np.linalg.norm(fit.model.tables["it"][others], axis=1), 1, atol=1e-6)
    assert (fit.model.tables["it"] * Y)[others].sum(axis=1).min() > 0.97
    # the start is validated first, then the refined model
    np.testing.assert_allclose(seen[0].tables["it"][others], X[others] @ Q, atol=1e-5)
    assert seen[1] is fit.model
    assert (fit.report["validation_mrr_start"], fit.report["validation_mrr"]) == (1, 2)
    assert fit.model.tables["it"].dtype == np.float32
