"""Word spaces, pairs of words, refinement and RCSLS, by definition; oracles have the other maps."""

from dataclasses import replace
from itertools import chain, islice
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.linalg import polar, sqrtm

from cr5.base.errors import LeftOutError, UserError
from cr5.base.rows import unit_rows
from cr5.contracts.catalogue import SYSTEMS
from cr5.contracts.seeds import Seeds
from cr5.fitting.pivot import choose_pivot
from cr5.systems.maps import rcsls
from cr5.systems.maps.canonical import roots
from cr5.systems.maps.family import OntoPivot, rows_of
from cr5.systems.maps.profiles import profiles
from cr5.systems.maps.rcsls import Lexicon, Rcsls, Spaces, descend, projected, split
from cr5.systems.maps.refinement import ABOVE, Refined, best_of, refine
from cr5.systems.maps.rotations import orthogonal_map
from cr5.systems.maps.rows import apply_map, centred
from cr5.systems.maps.spaces import Mapped, Space
from cr5.systems.maps.translation import precision, translate, unsupervised_criterion
from tests.systems.conftest import dense_csls, differences, first_pairs, rotated_copy, space


def drawn_rows(rng, n, d):
    """Unit rows that are drawn around a mean other than zero."""
    return unit_rows(rng.normal(0.3, 1, (n, d)).astype(np.float32))


@pytest.mark.parametrize("k", [0, 1, 3, 10])
def test_translations_equal_the_dense_definition(k):
    rng = np.random.default_rng(1)
    X = drawn_rows(rng, 61, 5)
    Y = drawn_rows(rng, 47, 5)
    scores = dense_csls(X, Y, k) if k else X @ Y.T
    expected = scores.argmax(axis=1)
    assert (translate(X, Y, neighbours=k) == expected).all()
    rows = np.array([7, 3, 20])
    assert (translate(X, Y, neighbours=k, rows=rows) == expected[rows]).all()


def test_criterion_and_precision_by_hand():
    X = np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float32)
    Y = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    forward = np.array([0, 2, 2])
    assert unsupervised_criterion(X, Y, forward, 10) == pytest.approx((1 + 0.8 + 0.96) / 3)
    assert unsupervised_criterion(X, Y, forward, 2) == pytest.approx(0.9)
    # by cosine 0 -> 0, 1 -> 1, 2 -> 2; any of a word's translations counts
    pairs = np.array([[0, 1], [0, 0], [1, 0], [1, 2], [2, 2]])
    assert precision(X, Y, pairs, neighbours=0) == pytest.approx(2 / 3)


def test_profiles_are_sorted_rows_of_the_root_of_all_similarities():
    X, _, _ = rotated_copy(n=40, d=6)
    root = sqrtm(X.astype(float) @ X.T.astype(float) + 1e-12 * np.eye(40)).real
    rows = unit_rows(np.sort(root, axis=1))
    np.testing.assert_allclose(profiles(X), unit_rows(rows - rows.mean(axis=0)), atol=1e-4)


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
        sign = 1 if source.language < target.language else -1
        return Mapped(sign * source.vectors)


def test_directed_each_direction_has_a_map_of_its_own(training):
    spaces = dict.fromkeys(("da", "en", "it"), np.eye(2))
    fitted = Turning(directed=True).fit(training(spaces))
    fitted.model.check()
    assert len(fitted.report["pairs"]) == 6
    np.testing.assert_array_equal(fitted.model.table("da", "it"), np.eye(2))
    np.testing.assert_array_equal(fitted.model.table("it", "da"), -np.eye(2))
    np.testing.assert_array_equal(fitted.model.table("it", "it"), np.eye(2))


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
    junk = np.tile(np.eye(20, dtype=np.float32)[:1], (50, 1))
    longer_source = space("x", np.vstack([source.vectors, junk]))
    longer_target = space("x", np.vstack([target.vectors, junk]))
    settings = Keys(rounds=1, dictionary_words=300, criterion_words=100)
    W, criterion = refine(source, target, Q, settings)
    _, criterion_of_longer = refine(longer_source, longer_target, Q, settings)
    assert criterion_of_longer == criterion
    expected = (source.mapped(W) * target.vectors)[:100].sum(axis=1).mean()
    assert criterion == pytest.approx(expected, abs=1e-4)


JUNK = np.eye(20, dtype=np.float32)


def test_the_best_of_several_starts_is_kept():
    source, target, Q = pair(n=300, noise=0.01)
    mapped = best_of(iter([JUNK, Q, Q]), source, target, SETTINGS)
    assert mapped.target is None
    assert mapped.report["best_start"] == 1
    junk, first, second = mapped.report["criteria"]
    assert first == second > junk
    assert "chance" not in mapped.report
    assert (mapped.source * target.vectors).sum(axis=1).min() > 0.97


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
        mean = np.float32(4) * np.eye(20, dtype=np.float32)[0]
        source = space("it", source.vectors + mean @ Q.T)
        target = space("en", target.vectors + mean)
    report = best_of(starts, source, target, SETTINGS, random_rotations=2).report
    chance = report["chance"]
    assert report["succeeded"] == succeeded
    assert len(report["warnings"]) == 1
    above_chance = max(report["criteria"]) > chance + ABOVE * (1 - chance)
    assert above_chance is (case != "another space")
    assert (chance > 0.9) is (case == "all point one way")


CONSTRAINTS = ["spectral", "frobenius", "none"]
PAIRS = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])  # a word comes twice


def csls_loss(W, X, Y, k, neighbourhoods):
    """The definition, pair by pair, with sorted lists."""
    cosines = X.astype(float) @ W @ Y.astype(float).T
    sources = np.arange(len(X))
    targets = np.arange(len(Y))
    if neighbourhoods == "seeds":
        sources = np.unique(PAIRS[:, 0])
        targets = np.unique(PAIRS[:, 1])
    total = 0.0
    for i, j in PAIRS:
        nearest_targets = np.sort(cosines[i, targets])[::-1][:k]
        nearest_sources = np.sort(cosines[sources, j])[::-1][:k]
        total += 2 * cosines[i, j] - nearest_targets.mean() - nearest_sources.mean()
    return -total / len(PAIRS)


@pytest.mark.parametrize("neighbourhoods", ["full", "seeds"])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_the_loss_is_that_of_the_definition_and_so_is_its_slope(neighbourhoods, k, monkeypatch):
    monkeypatch.setattr(rcsls, "NEIGHBOURS", k)
    rng = np.random.default_rng(0)
    X = drawn_rows(rng, 40, 6)
    Y = drawn_rows(rng, 50, 6)
    W = np.eye(6) + 0.3 * rng.normal(size=(6, 6))
    value, gradient = Lexicon.select(Spaces(X, Y), PAIRS, neighbourhoods, 1).loss(W)
    assert value == pytest.approx(csls_loss(W, X, Y, k, neighbourhoods), abs=1e-6)
    slopes = differences(lambda: csls_loss(W, X, Y, k, neighbourhoods), W)
    np.testing.assert_allclose(gradient, slopes, atol=1e-7)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_the_loss_never_rises(constraint):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    lexicon = Lexicon.select(Spaces(X, Y), first_pairs(100), "full", 1)
    start = orthogonal_map(lexicon.X, lexicon.Y).astype(float)
    steps = islice(descend(lexicon, 4000.0, constraint), 12)
    losses = [lexicon.loss(W)[0] for W in chain([start], steps)]
    assert (np.diff(losses) <= 0).all()
    assert losses[-1] < losses[0]


def test_projections():
    W = np.random.default_rng(1).normal(size=(6, 6))
    near = projected(W, "spectral")
    assert np.linalg.norm(near, 2) <= 1 + 1e-12
    assert np.linalg.norm(W - near) <= np.linalg.norm(W - W / np.linalg.norm(W, 2))
    assert np.linalg.norm(projected(3 * W, "frobenius")) == pytest.approx(np.sqrt(6))
    for constraint in CONSTRAINTS:
        np.testing.assert_allclose(projected(0.1 * W, constraint), 0.1 * W, atol=1e-12)


def trained(X, Y, pairs, **options):
    return Rcsls(**options).train({False: Spaces(X, Y)}, pairs, np.random.default_rng(0))


def test_what_translates_best_is_kept():
    X, Y, _ = rotated_copy(n=500)
    W, report = trained(
        X, Y, first_pairs(200), rates=[1.0, 25.0], epochs=[2, 4], neighbourhoods="seeds"
    )
    assert precision(apply_map(X, W), Y, first_pairs(500)[200:]) > 0.9
    trials = pd.DataFrame(report["trials"])
    chosen = trials.loc[trials["precision"].idxmax()]
    assert trials["rate"].tolist() == [1, 1, 25, 25]
    assert trials["epochs"].tolist() == [2, 4, 2, 4]
    assert (report["rate"], report["epochs"]) == (chosen["rate"], chosen["epochs"])


def test_it_is_better_than_the_rotation_and_rounded_the_nearest_one():
    """Where there is nothing to choose, all pairs are trained on; rotations are too few here."""
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(600, 15)) + 0.5
    blurred = vectors @ (np.eye(15) + 0.25 * rng.normal(size=(15, 15)))
    X = unit_rows(vectors.astype(np.float32))
    Y = unit_rows((blurred + rng.normal(size=(600, 15))).astype(np.float32))
    W, free = trained(X, Y, first_pairs(300), rates=[10.0])
    rotation = orthogonal_map(X[:300], Y[:300])
    pairs = first_pairs(600)[300:]
    assert precision(apply_map(X, W), Y, pairs) > precision(apply_map(X, rotation), Y, pairs)
    rounded, report = trained(X, Y, first_pairs(300), rates=[10.0], rounded=True)
    assert np.linalg.norm(W.T @ W - np.eye(15)) > 0.1
    np.testing.assert_allclose(rounded, polar(W)[0], atol=1e-5)
    assert report == free
    assert (report["trials"], report["rate"], report["epochs"]) == ([], 10, 10)


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    X, Y, _ = rotated_copy(n=200, noise=0.0)
    source = space("it", X)
    target = space("en", unit_rows(Y + np.float32(offset)))
    seeds = Seeds({("it", "en"): [(f"w{row}", f"w{row}") for row in range(100)]})
    training_set = SimpleNamespace(seed=3, threads=1, seeds=seeds)
    system = Rcsls(rates=[10.0], epochs=[1], choose_centre=["it"])
    mapped = system.map(source, target, training_set)
    as_they_are, centred_trial = mapped.report["trials"]
    assert (as_they_are["centre"], centred_trial["centre"]) == (False, True)
    assert centred_trial["precision"] == 1
    assert (as_they_are["precision"] < 1) is centre is mapped.report["centre"]
    if centre:
        source = replace(source, vectors=centred(source.vectors))
        target = replace(target, vectors=centred(target.vectors))
    plain = system.model_copy(update={"choose_centre": ()})
    expected = plain.map(source, target, training_set)
    assert mapped.source.tobytes() == expected.source.tobytes()
    assert mapped.target.tobytes() == target.vectors.tobytes()


def test_words_are_held_out_with_all_their_pairs():
    pairs = np.array([[0, 1], [1, 1], [0, 2], [2, 900], [900, 3], [3, 0]])
    for seed in range(20):
        training_pairs, held_out = split(pairs, np.random.default_rng(seed), 0.4, 500)
        words = set(held_out[:, 0])
        assert len(words) == 1
        assert words < {0, 1, 3}  # those that are frequent, on both sides
        assert words.isdisjoint(training_pairs[:, 0])
        assert len(training_pairs) + len(held_out) == 6


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_at_least_a_word_is_held_out_and_at_least_a_word_trains(share):
    parts = split(np.array([[0, 0], [1, 1]]), np.random.default_rng(0), share, 500)
    assert [len(part) for part in parts] == [1, 1]


def test_without_a_frequent_word_nothing_is_chosen(monkeypatch):
    monkeypatch.setattr(rcsls, "HELD_OUT_WORDS", 20)
    X, Y, _ = rotated_copy(n=100)
    _, report = trained(X, Y, first_pairs(100)[50:], rates=[10.0, 1.0], epochs=[1])
    assert (report["trials"], report["rate"]) == ([], 10)
