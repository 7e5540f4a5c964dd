"""Word spaces, pairs of words, refinement and RCSLS, by definition; oracles have the other maps."""

from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
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
from tests.systems.conftest import dense_csls, every, rotated_copy, space


@pytest.mark.parametrize("k", [0, 1, 3, 10])
def test_translations_equal_the_dense_definition(k):
    rng = np.random.default_rng(1)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 5)).astype(np.float32)) for n in (61, 47))
    expected = (dense_csls(X, Y, k) if k else X @ Y.T).argmax(axis=1)
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
    there, back = roots(np.array([[3.0, 0, 0], [0, 4.0, 0]]))
    np.testing.assert_allclose(there, np.diag([1 / 3, 1 / 4, 0]), atol=1e-15)
    np.testing.assert_allclose(back, np.diag([3, 4, 0]), atol=1e-15)


@pytest.fixture
def training(training_of):
    def make(spaces, **given):
        spaces = {x: np.array(rows, np.float32) for x, rows in spaces.items()}
        words = {x: [f"{x}{i}" for i in range(len(rows))] for x, rows in spaces.items()}
        return training_of(words, vectors=spaces, **given)

    return make


def test_choice_of_the_pivot():
    chosen = {"da en it": "en", "da it": "da", "da en_gb": "en_gb", "en_gb en": "en"}
    assert {x: choose_pivot(x.split(), None) for x in chosen} == chosen
    assert choose_pivot(["da", "it"], "it") == "it"
    with pytest.raises(UserError, match="'fr'"):
        choose_pivot(["da", "it"], "fr")


class Turning(OntoPivot):
    """Turns a space round where its language comes later in the alphabet."""

    def map(self, source, target, training):
        return Mapped(source.vectors * (1 if source.language < target.language else -1))


def test_directed_each_direction_has_a_map_of_its_own(training):
    found = Turning(directed=True).fit(training({x: np.eye(2) for x in ("da", "en", "it")}))
    found.model.check()
    assert len(found.report["pairs"]) == 6
    for a, b, sign in (("da", "it", 1), ("it", "da", -1), ("it", "it", 1)):
        np.testing.assert_array_equal(found.model.table(a, b), sign * np.eye(2))


@pytest.mark.parametrize(
    ("english", "refusal", "said"),
    [(np.zeros((3, 2)), LeftOutError, "of en: none"), (np.ones((3, 4)), UserError, "dimension")],
)
def test_spaces_that_cannot_be_mapped(training, english, refusal, said):
    with pytest.raises(refusal, match=said):
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


def test_seed_pairs_by_hand():
    seeds, given = Seeds(DICTIONARY), DICTIONARY["it", "en"]
    same = [(x, x) for x in ("7", "no", "radio", "1984", "12", "٣", "b52")]
    assert paired("identical", seeds) == same
    assert paired("numerals", seeds) == [(x, x) for x in ("7", "1984", "12")]
    assert paired("dictionary", seeds) == given
    assert paired("dictionary_and_identical", seeds) == [*given, *(x for x in same if x[0] != "no")]
    assert paired("dictionary", seeds, ENGLISH, ITALIAN) == [(y, x) for x, y in given]
    pairs = [("b", "x"), ("a", "z"), ("c", "x"), ("b", "x"), ("b", "y")]
    assert rows_of(pairs, ["a", "b"], ["x", "y"]).tolist() == [[1, 0], [1, 1]]
    assert rows_of([], ["a"], ["x"]).shape == (0, 2)


def test_no_tested_word_is_a_seed_of_any_kind():
    seeds = Seeds(DICTIONARY, ASKED)
    same = [(x, x) for x in ("no", "1984", "12", "٣", "b52")]
    assert paired("identical", seeds) == same
    assert paired("numerals", seeds) == [("1984", "1984"), ("12", "12")]
    assert paired("dictionary", seeds) == [("casa", "house"), ("no", "no")]
    assert paired("dictionary_and_identical", seeds) == [("casa", "house"), ("no", "no"), *same[1:]]
    # Of a map for one direction, what the other direction asks for is no secret.
    assert ("radio", "radio") in paired("identical", seeds, directed=True)
    assert ("casa", "home") in paired("dictionary", seeds, directed=True)


class Keys(Refined):
    """The keys of refined maps, without a map."""

    def fit(self, training):
        raise NotImplementedError


SETTINGS = Keys(rounds=2)


def pair(**given):
    """Italian, English, and the rotation from the one to the other."""
    X, Y, Q = rotated_copy(**given)
    return space("it", X), space("en", Y), Q


@pytest.mark.parametrize("mutual", [False, True])
def test_a_small_seed_dictionary_becomes_the_whole_rotation(mutual):
    source, target, Q = pair(noise=0.02)
    W0 = orthogonal_map(source.vectors[:10], target.vectors[:10])  # of 20 dimensions
    found = [refine(source, target, W0, Keys(rounds=x, mutual=mutual)) for x in (0, 1, 3, 8)]
    assert np.abs(W0 - Q).max() > 0.2
    np.testing.assert_allclose(found[-1][0], Q, atol=0.1)
    assert (np.diff([criterion for _, criterion in found]) >= 0).all()  # the best round is kept


def test_only_frequent_words_enter_dictionary_and_criterion():
    source, target, Q = pair(n=300)
    junk = np.tile(np.eye(20, dtype=np.float32)[:1], (50, 1))
    longer = [space("x", np.vstack([x.vectors, junk])) for x in (source, target)]
    few = Keys(rounds=1, dictionary_words=300, criterion_words=100)
    W, found = refine(source, target, Q, few)
    assert refine(*longer, Q, few)[1] == found
    expected = (source.mapped(W) * target.vectors)[:100].sum(axis=1).mean()
    assert found == pytest.approx(expected, abs=1e-4)


JUNK = np.eye(20, dtype=np.float32)


def test_the_best_of_several_starts_is_kept():
    source, target, Q = pair(n=300, noise=0.01)
    found = best_of(iter([JUNK, Q, Q]), source, target, SETTINGS)
    assert (found.target, found.report["best_start"]) == (None, 1)
    junk, *good = found.report["criteria"]
    assert good == [good[0]] * 2 > [junk]
    assert "chance" not in found.report
    assert (found.source * target.vectors).sum(axis=1).min() > 0.97


@pytest.mark.parametrize(
    ("case", "succeeded"), [("one of two", 1), ("another space", 0), ("all point one way", 0)]
)
def test_how_many_starts_found_more_than_chance(case, succeeded):
    """Starts that fail alike are near to the best; with little text any map brings words near."""
    source, target, Q = pair(n=300, noise=0.01)
    starts = [Q, JUNK]
    if case == "another space":
        target, starts = space("en", rotated_copy(n=300, clusters=5, seed=7)[1]), [JUNK, JUNK]
    elif case == "all point one way":
        mean = np.float32(4) * np.eye(20, dtype=np.float32)[0]
        source = space("it", source.vectors + mean @ Q.T)
        target = space("en", target.vectors + mean)
    found = best_of(starts, source, target, SETTINGS, random_rotations=2).report
    assert (found["succeeded"], len(found["warnings"])) == (succeeded, 1)
    least = found["chance"] + ABOVE * (1 - found["chance"])
    assert (max(found["criteria"]) > least) is (case != "another space")
    assert (found["chance"] > 0.9) is (case == "all point one way")


CONSTRAINTS = ["spectral", "frobenius", "none"]
PAIRS = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])  # a word comes twice


def csls_loss(W, X, Y, k, neighbourhoods):
    """The definition, pair by pair, with sorted lists."""
    X, Y = X.astype(float) @ W, Y.astype(float)
    sources = range(len(X)) if neighbourhoods == "full" else sorted(set(PAIRS[:, 0]))
    targets = range(len(Y)) if neighbourhoods == "full" else sorted(set(PAIRS[:, 1]))
    total = 0.0
    for i, j in PAIRS:
        near_i = sorted((X[i] @ Y[t] for t in targets), reverse=True)[:k]
        near_j = sorted((X[s] @ Y[j] for s in sources), reverse=True)[:k]
        total += 2 * X[i] @ Y[j] - np.mean(near_i) - np.mean(near_j)
    return -total / len(PAIRS)


@pytest.mark.parametrize("neighbourhoods", ["full", "seeds"])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_the_loss_is_that_of_the_definition_and_so_is_its_slope(neighbourhoods, k, monkeypatch):
    monkeypatch.setattr(rcsls, "NEIGHBOURS", k)
    rng = np.random.default_rng(0)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 6)).astype(np.float32)) for n in (40, 50))
    W = np.eye(6) + 0.3 * rng.normal(size=(6, 6))
    value, gradient = Lexicon.select(Spaces(X, Y), PAIRS, neighbourhoods, 1).loss(W)
    assert value == pytest.approx(csls_loss(W, X, Y, k, neighbourhoods), abs=1e-6)
    for place in ((0, 0), (2, 5), (4, 1)):
        moved = np.zeros_like(W)
        moved[place] = 1e-6
        above, below = (csls_loss(W + x, X, Y, k, neighbourhoods) for x in (moved, -moved))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
def test_the_loss_never_rises(constraint):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    made = Lexicon.select(Spaces(X, Y), every(100), "full", 1)
    first, _ = made.loss(orthogonal_map(made.X, made.Y).astype(float))
    losses = [first, *(made.loss(W)[0] for W in islice(descend(made, 4000.0, constraint), 12))]
    assert (np.diff(losses) <= 0).all()
    assert losses[-1] < first


def test_projections():
    W = np.random.default_rng(1).normal(size=(6, 6))
    near = projected(W, "spectral")
    assert np.linalg.norm(near, 2) <= 1 + 1e-12
    assert np.linalg.norm(W - near) <= np.linalg.norm(W - W / np.linalg.norm(W, 2))
    assert np.linalg.norm(projected(3 * W, "frobenius")) == pytest.approx(np.sqrt(6))
    for constraint in CONSTRAINTS:
        np.testing.assert_allclose(projected(0.1 * W, constraint), 0.1 * W, atol=1e-12)


def trained(X, Y, pairs, **given):
    return Rcsls(**given).train({False: Spaces(X, Y)}, pairs, np.random.default_rng(0))


def test_what_translates_best_is_kept():
    X, Y, _ = rotated_copy(n=500)
    W, report = trained(X, Y, every(200), rates=[1.0, 25.0], epochs=[2, 4], neighbourhoods="seeds")
    assert precision(apply_map(X, W), Y, every(500)[200:]) > 0.9
    trials = report["trials"]
    assert [(x["rate"], x["epochs"]) for x in trials] == [(1, 2), (1, 4), (25, 2), (25, 4)]
    best = max(trials, key=lambda trial: trial["precision"])
    assert (report["rate"], report["epochs"]) == (best["rate"], best["epochs"])


def test_it_is_better_than_the_rotation_and_rounded_the_nearest_one():
    """Where there is nothing to choose, all pairs are trained on; rotations are too few here."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 15)) + 0.5
    Y = X @ (np.eye(15) + 0.25 * rng.normal(size=(15, 15))) + rng.normal(size=(600, 15))
    X, Y = (unit_rows(rows.astype(np.float32)) for rows in (X, Y))
    W, free = trained(X, Y, every(300), rates=[10.0])
    maps = orthogonal_map(X[:300], Y[:300]), W
    before, after = (precision(apply_map(X, W), Y, every(600)[300:]) for W in maps)
    assert after > before
    rounded, report = trained(X, Y, every(300), rates=[10.0], rounded=True)
    assert np.linalg.norm(W.T @ W - np.eye(15)) > 0.1
    np.testing.assert_allclose(rounded, polar(W)[0], atol=1e-5)
    assert report == free
    assert (report["trials"], report["rate"], report["epochs"]) == ([], 10, 10)


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    X, Y, _ = rotated_copy(n=200, noise=0.0)
    spaces = space("it", X), space("en", unit_rows(Y + np.float32(offset)))
    seeds = Seeds({("it", "en"): [(f"w{i}", f"w{i}") for i in range(100)]})
    given = SimpleNamespace(seed=3, threads=1, seeds=seeds)
    chosen = Rcsls(rates=[10.0], epochs=[1], choose_centre=["it"])
    found = chosen.map(*spaces, given)
    trials = [(x["centre"], x["precision"]) for x in found.report["trials"]]
    assert [x for x, _ in trials] == [False, True]
    assert (trials[0][1] < trials[1][1] == 1.0) is centre is found.report["centre"]
    if centre:
        spaces = [replace(x, vectors=centred(x.vectors)) for x in spaces]
    plain = chosen.model_copy(update={"choose_centre": ()})
    assert found.source.tobytes() == plain.map(*spaces, given).source.tobytes()
    assert found.target.tobytes() == spaces[1].vectors.tobytes()


def test_words_are_held_out_with_all_their_pairs(monkeypatch):
    pairs = np.array([[0, 1], [1, 1], [0, 2], [2, 900], [900, 3], [3, 0]])
    for seed in range(20):
        kept, held_out = split(pairs, np.random.default_rng(seed), 0.4, 500)
        assert len(set(held_out[:, 0])) == 1  # of the three frequent ones: 0, 1 and 3
        assert set(held_out[:, 0]) < {0, 1, 3}
        assert not set(held_out[:, 0]) & set(kept[:, 0])
        assert len(kept) + len(held_out) == 6
    for share in (0.0, 1.0):  # one word at least is held out, and one is kept
        parts = split(np.array([[0, 0], [1, 1]]), np.random.default_rng(0), share, 500)
        assert [len(part) for part in parts] == [1, 1]
    monkeypatch.setattr(rcsls, "HELD_OUT_WORDS", 20)  # no word that chooses is frequent
    X, Y, _ = rotated_copy(n=100)
    _, report = trained(X, Y, every(100)[50:], rates=[10.0, 1.0], epochs=[1])
    assert (report["trials"], report["rate"]) == ([], 10)
