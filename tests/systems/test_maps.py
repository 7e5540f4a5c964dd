"""Word spaces, pairs of words and refinement, by definition; oracles have the maps."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import sqrtm

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import unit_rows
from cr5.contracts.catalogue import SYSTEMS
from cr5.contracts.seeds import Seeds
from cr5.fitting.pivot import choose_pivot
from cr5.systems.maps.canonical import roots
from cr5.systems.maps.family import OntoPivot, rows_of
from cr5.systems.maps.profiles import profiles
from cr5.systems.maps.refinement import ABOVE, Refined, best_of, refine
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.spaces import Mapped, Space
from cr5.systems.maps.translation import precision, translate, unsupervised_criterion
from tests.systems.conftest import (
    dense_csls,
    drawn_rows,
    rotated_copy,
    space,
)


@pytest.mark.parametrize("k", [0, 1, 3, 10])
def test_translations_equal_the_dense_definition(k):
    rng = np.random.default_rng(1)
    X = drawn_rows(rng, 61, 5)
    Y = drawn_rows(rng, 47, 5)
    scores = X @ Y.T
    if k:
        scores = dense_csls(X, Y, k)
    expected = scores.argmax(axis=1)
    assert (translate(X, Y, neighbours=k) == expected).all()
    rows = np.array([7, 3, 20])
    assert (translate(X, Y, neighbours=k, rows=rows) == expected[rows]).all()


def test_criterion_and_precision_by_hand():
    X = np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float32)
    Y = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    forward = np.array([0, 2, 2])
    of_third_words = 0.8 * 0.6 + 0.6 * 0.8
    mean_cosine = (1 + 0.8 + of_third_words) / 3
    of_all_words = unsupervised_criterion(X, Y, forward, 10)
    assert of_all_words == pytest.approx(mean_cosine)
    of_two_words = unsupervised_criterion(X, Y, forward, 2)
    assert of_two_words == pytest.approx((1 + 0.8) / 2)
    # by cosine 0 -> 0, 1 -> 1, 2 -> 2; any of a word's translations counts
    pairs = np.array([[0, 1], [0, 0], [1, 0], [1, 2], [2, 2]])
    share = precision(X, Y, pairs, neighbours=0)
    assert share == pytest.approx(2 / 3)


def test_profiles_are_sorted_rows_of_the_root_of_all_similarities():
    X, _, _ = rotated_copy(n=40, d=6)
    similarities = X.astype(float) @ X.T.astype(float)
    root = sqrtm(similarities + 1e-12 * np.eye(40)).real
    rows = unit_rows(np.sort(root, axis=1))
    expected = unit_rows(rows - rows.mean(axis=0))
    np.testing.assert_allclose(profiles(X), expected, atol=1e-4)


def test_whitening_is_zero_where_nothing_is_spanned():
    whitening, inverse = roots(np.array([[3.0, 0, 0], [0, 4.0, 0]]))
    np.testing.assert_allclose(whitening, np.diag([1 / 3, 1 / 4, 0]), atol=1e-15)
    np.testing.assert_allclose(inverse, np.diag([3, 4, 0]), atol=1e-15)


@pytest.fixture
def training(training_of):
    def make(spaces):
        words = {}
        vectors = {}
        for language, rows in spaces.items():
            words[language] = [f"{language}{row}" for row in range(len(rows))]
            vectors[language] = np.array(rows, np.float32)
        return training_of(words, vectors=vectors)

    return make


@pytest.mark.parametrize(
    ("languages", "pivot"),
    [("da en it", "en"), ("da it", "da"), ("da en_gb", "en_gb"), ("en_gb en", "en")],
)
def test_the_pivot_is_english_or_the_first_language(languages, pivot):
    assert choose_pivot(languages.split(), None) == pivot


def test_a_pivot_that_is_asked_for():
    assert choose_pivot(["da", "it"], "it") == "it"
    with pytest.raises(UserError, match="'fr'"):
        choose_pivot(["da", "it"], "fr")


class Turning(OntoPivot):
    """Turns a space round where its language comes later in the alphabet."""

    def map(self, source, target, training):
        if source.language > target.language:
            return Mapped(-source.vectors)
        return Mapped(source.vectors)


def test_directed_each_direction_has_a_map_of_its_own(training):
    vectors = np.eye(2)
    spaces = dict.fromkeys(("da", "en", "it"), vectors)
    fitted = Turning(directed=True).fit(training(spaces))
    model = fitted.model
    model.check()
    assert len(fitted.report["pairs"]) == 6
    np.testing.assert_array_equal(model.table("da", "it"), vectors)
    np.testing.assert_array_equal(model.table("it", "da"), -vectors)
    np.testing.assert_array_equal(model.table("it", "it"), vectors)


@pytest.mark.parametrize(
    ("english", "refusal", "message"),
    [(np.zeros((3, 2)), LeftOutError, "of en: none"), (np.ones((3, 4)), UserError, "dimension")],
)
def test_spaces_that_cannot_be_mapped(training, english, refusal, message):
    with pytest.raises(refusal, match=message):
        Turning().fit(training({"it": np.ones((3, 2)), "en": english}))


DICTIONARY = {("it", "en"): [("casa", "house"), ("casa", "home"), ("no", "no"), ("cane", "dog")]}
ASKED = {("it", "en"): frozenset(["cane", "7"]), ("en", "it"): frozenset(["home", "radio"])}


def of_words(language, words):
    return Space(language, words, np.arange(len(words)), np.eye(len(words), dtype=np.float32))


ITALIAN = of_words("it", ["7", "no", "casa", "radio", "1984", "cane", "12", "٣", "b52"])
ENGLISH = of_words("en", ["b52", "house", "radio", "12", "dog", "no", "1984", "home", "7", "٣"])


def paired(kind, seeds, source=ITALIAN, target=ENGLISH, directed=False):
    system = SYSTEMS.part("vecmap_self_learning", {"seeds": kind, "directed": directed})
    pairs = system.pairs(source, target, SimpleNamespace(seeds=seeds))
    return [(source.words[i], target.words[j]) for i, j in pairs]


def same_words(text):
    return [(word, word) for word in text.split()]


def test_seed_pairs_by_hand():
    seeds = Seeds(DICTIONARY)
    pairs = DICTIONARY["it", "en"]
    turned = [(english, italian) for italian, english in pairs]
    assert paired("identical", seeds) == same_words("7 no radio 1984 12 ٣ b52")
    assert paired("numerals", seeds) == same_words("7 1984 12")
    assert paired("dictionary", seeds) == pairs
    further = same_words("7 radio 1984 12 ٣ b52")
    assert paired("dictionary_and_identical", seeds) == pairs + further
    assert paired("dictionary", seeds, ENGLISH, ITALIAN) == turned


def test_rows_of_pairs_whose_words_are_known():
    pairs = [("b", "x"), ("a", "z"), ("c", "x"), ("b", "x"), ("b", "y")]
    assert rows_of(pairs, ["a", "b"], ["x", "y"]).tolist() == [[1, 0], [1, 1]]
    assert rows_of([], ["a"], ["x"]).shape == (0, 2)


def test_no_tested_word_is_a_seed_of_any_kind():
    seeds = Seeds(DICTIONARY, ASKED)
    pairs = [("casa", "house"), ("no", "no")]
    assert paired("identical", seeds) == same_words("no 1984 12 ٣ b52")
    assert paired("numerals", seeds) == same_words("1984 12")
    assert paired("dictionary", seeds) == pairs
    further = same_words("1984 12 ٣ b52")
    assert paired("dictionary_and_identical", seeds) == pairs + further
    # Of a map for one direction, what the other direction asks for is no secret.
    assert ("radio", "radio") in paired("identical", seeds, directed=True)
    assert ("casa", "home") in paired("dictionary", seeds, directed=True)


class Keys(Refined):
    """The keys of refined maps, without a map."""

    def fit(self, training):
        raise NotImplementedError


SETTINGS = Keys(rounds=2)
JUNK = np.eye(20, dtype=np.float32)


def pair(**options):
    """Italian, English, and the rotation from the first to the second."""
    X, Y, Q = rotated_copy(**options)
    return space("it", X), space("en", Y), Q


@pytest.mark.parametrize("mutual", [False, True])
def test_a_small_seed_dictionary_becomes_the_whole_rotation(mutual):
    source, target, Q = pair(noise=0.02)
    W0 = orthogonal_map(source.vectors[:10], target.vectors[:10])  # of 20 dimensions
    assert np.abs(W0 - Q).max() > 0.2
    criteria = []
    for rounds in (0, 1, 3, 8):
        W, criterion = refine(source, target, W0, Keys(rounds=rounds, mutual=mutual))
        criteria.append(criterion)
    np.testing.assert_allclose(W, Q, atol=0.1)
    assert (np.diff(criteria) >= 0).all()  # the best round is kept


def test_only_frequent_words_enter_dictionary_and_criterion():
    source, target, Q = pair(n=300)
    same_vector = np.tile(JUNK[:1], (50, 1))
    longer_source = space("x", np.vstack([source.vectors, same_vector]))
    longer_target = space("x", np.vstack([target.vectors, same_vector]))
    settings = Keys(rounds=1, dictionary_words=300, criterion_words=100)
    W, criterion = refine(source, target, Q, settings)
    _, criterion_of_longer = refine(longer_source, longer_target, Q, settings)
    assert criterion_of_longer == criterion
    cosines = np.sum(source.mapped(W) * target.vectors, axis=1)
    assert criterion == pytest.approx(cosines[:100].mean(), abs=1e-4)


def test_the_best_of_several_starts_is_kept():
    source, target, Q = pair(n=300, noise=0.01)
    mapped = best_of(iter([JUNK, Q, Q]), source, target, SETTINGS)
    assert mapped.target is None
    assert mapped.report["best_start"] == 1
    junk, first, second = mapped.report["criteria"]
    assert first == second > junk
    assert "chance" not in mapped.report
    cosines = np.sum(mapped.source * target.vectors, axis=1)
    assert cosines.min() > 0.97


@pytest.mark.parametrize(
    ("case", "succeeded"), [("one of two", 1), ("another space", 0), ("all point one way", 0)]
)
def test_how_many_starts_found_more_than_chance(case, succeeded):
    """Starts that fail alike are near to the best; with little text any map brings words near."""
    source, target, Q = pair(n=300, noise=0.01)
    starts = [Q, JUNK]
    if case == "another space":
        _, unrelated, _ = rotated_copy(n=300, clusters=5, seed=7)
        target = space("en", unrelated)
        starts = [JUNK, JUNK]
    elif case == "all point one way":
        mean = 4 * JUNK[0]
        source = space("it", source.vectors + mean @ Q.T)
        target = space("en", target.vectors + mean)
    report = best_of(starts, source, target, SETTINGS, random_rotations=2).report
    assert report["succeeded"] == succeeded
    assert len(report["warnings"]) == 1
    chance = report["chance"]
    best_criterion = max(report["criteria"])
    is_above_chance = best_criterion > chance + ABOVE * (1 - chance)
    assert is_above_chance is (case != "another space")
    assert (chance > 0.9) is (case == "all point one way")
