"""Word spaces, pairs of words, maps from them and their refinement, by definition and by hand."""

from dataclasses import replace
from functools import partial
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes, polar, sqrtm

from cr5.base.errors import LeftOutError, UserError
from cr5.base.parts import SYSTEMS
from cr5.base.rows import unit_rows
from cr5.fitting.seeds import Seeds
from cr5.systems.maps import rcsls, search
from cr5.systems.maps.closed import roots
from cr5.systems.maps.family import OntoPivot, Refined
from cr5.systems.maps.rcsls import Rcsls, lexicon, projected, split, steps
from cr5.systems.maps.refinement import ABOVE, best_of, judged, refine
from cr5.systems.maps.search import Mapped, Start, apply_map, generators, orthogonal_map, precision
from cr5.systems.maps.spaces import (
    Space,
    choose_pivot,
    fit_mapped,
    rows_of,
    seed_pairs,
)


def dense_csls(X, Y, k):
    """The definition, with both hubness terms, on the full matrix."""
    S = X.astype(float) @ Y.astype(float).T
    r_T = np.sort(S, axis=1)[:, ::-1][:, :k].mean(axis=1)
    r_S = np.sort(S, axis=0)[::-1][:k].mean(axis=0)
    return 2 * S - r_T[:, None] - r_S[None, :]


@pytest.mark.parametrize("k", [0, 1, 3, 10])
def test_translations_equal_the_dense_definition(k):
    rng = np.random.default_rng(1)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 5)).astype(np.float32)) for n in (61, 47))
    expected = (dense_csls(X, Y, k) if k else X @ Y.T).argmax(axis=1)
    assert (search.translate(X, Y, neighbours=k) == expected).all()
    rows = np.array([7, 3, 20])
    assert (search.translate(X, Y, neighbours=k, rows=rows) == expected[rows]).all()


def test_criterion_and_precision_by_hand():
    X = np.array([[1, 0], [0, 1], [0.8, 0.6]], np.float32)
    Y = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
    forward = np.array([0, 2, 2])
    assert search.criterion(X, Y, forward) == pytest.approx((1 + 0.8 + 0.96) / 3)
    assert search.criterion(X, Y, forward, words=2) == pytest.approx(0.9)
    # by cosine 0 -> 0, 1 -> 1, 2 -> 2; any of a word's translations counts
    pairs = np.array([[0, 1], [0, 0], [1, 0], [1, 2], [2, 2]])
    assert precision(X, Y, pairs, neighbours=0) == pytest.approx(2 / 3)


def test_profiles_are_sorted_rows_of_the_root_of_all_similarities(rotated_copy):
    X, _, _ = rotated_copy(n=40, d=6)
    root = sqrtm(X.astype(float) @ X.T.astype(float) + 1e-12 * np.eye(40)).real
    rows = unit_rows(np.sort(root, axis=1))
    np.testing.assert_allclose(search.profiles(X), unit_rows(rows - rows.mean(axis=0)), atol=1e-4)


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


def test_directed_each_direction_has_a_map_of_its_own(training):
    def solve(source, target):
        return Mapped(source.vectors * (1 if source.language < target.language else -1))

    given = training({x: np.eye(2) for x in ("da", "en", "it")})
    found = fit_mapped(given, OntoPivot(directed=True), solve)
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
        fit_mapped(training({"it": np.ones((3, 2)), "en": english}), OntoPivot(), pytest.fail)


DICTIONARY = {("it", "en"): [("casa", "house"), ("casa", "home"), ("no", "no"), ("cane", "dog")]}
ASKED = {("it", "en"): frozenset(["cane", "7"]), ("en", "it"): frozenset(["home", "radio"])}


def of_words(language, words):
    return Space(language, words, np.arange(len(words)), np.eye(len(words), dtype=np.float32))


ITALIAN = of_words("it", ["7", "no", "casa", "radio", "1984", "cane", "12", "٣", "b52"])
ENGLISH = of_words("en", ["b52", "house", "radio", "12", "dog", "no", "1984", "home", "7", "٣"])


def paired(kind, seeds, source=ITALIAN, target=ENGLISH, directed=False):
    pairs = seed_pairs(kind, source, target, seeds, directed=directed)
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


N, D = 300, 10
SEEDED = {"procrustes": {"rounds": 0}, "least_squares": {}, "word_cca": {}, "multicca": {}}
SEEDED |= {"vecmap_supervised": {}, "vecmap_self_learning": {}}
SEEDED |= {"rcsls": {"rates": [1.0, 25.0], "epochs": [2]}}


@pytest.mark.parametrize("name", SEEDED)
def test_what_is_tested_is_not_learnt_and_too_few_pairs_are_refused(name, training):
    """With the tested words left out of the dictionary by hand the bytes are the same."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, D)) * np.linspace(2, 0.5, D) + 0.5
    spaces = {x: X @ np.linalg.qr(rng.normal(size=(D, D)))[0] for x in ("en", "it")}
    directions = [("it", "en"), ("en", "it")]

    def fitted(pairs, asked=()):
        given = {(x, y): [(f"{x}{i}", f"{y}{i}") for i in pairs] for x, y in directions}
        tested = {(x, y): frozenset(f"{x}{i}" for i in asked) for x, y in directions}
        return SYSTEMS.part(name, SEEDED[name]).fit(training(spaces, seeds=Seeds(given, tested)))

    hidden = fitted(range(0, N, 3), range(0, N, 9)).model
    expected = fitted([i for i in range(0, N, 3) if i % 9])
    for x in spaces:
        assert hidden.tables[x].tobytes() == expected.model.tables[x].tobytes()
    assert expected.report["pairs"]["it-en"]["seed_pairs"] == 66
    least = 1 if name == "vecmap_self_learning" else D
    with pytest.raises(LeftOutError, match=f"it-en: {least - 1} pairs .* at least {least}"):
        fitted(range(least - 1))


SETTINGS = Refined(rounds=2, neighbours=5)


@pytest.fixture
def pair(rotated_copy, space):
    """Italian, English, and the rotation from the one to the other."""

    def make(**given):
        X, Y, Q = rotated_copy(**given)
        return space("it", X), space("en", Y), Q

    return make


@pytest.mark.parametrize("mutual", [False, True])
def test_a_small_seed_dictionary_becomes_the_whole_rotation(pair, mutual):
    source, target, Q = pair(noise=0.02)
    W0 = orthogonal_map(source.vectors[:10], target.vectors[:10])  # of 20 dimensions
    W, history, best = refine(source, target, W0, Refined(rounds=8, mutual=mutual))
    assert np.abs(W0 - Q).max() > 0.2
    np.testing.assert_allclose(W, Q, atol=0.1)
    assert (history[1]["pairs"] < len(source.words)) is mutual
    assert best == int(np.argmax([entry["criterion"] for entry in history]))


def test_procrustes_weighs_words_by_the_lengths_that_count(pair):
    source, target, Q = pair(n=200)
    lengths = np.random.default_rng(1).uniform(0.1, 5, 200).astype(np.float32)
    long = [replace(x, lengths=lengths) for x in (source, target)]
    found = refine(*long, Q, Refined(rounds=1))[1][1]
    assert found["pairs"] == 200  # each with its counterpart, as before
    W = orthogonal_procrustes(*(x.vectors * lengths[:, None] for x in (source, target)))[0]
    assert found["criterion"] == pytest.approx(judged(source, target, W, SETTINGS)[2], abs=1e-6)
    unweighed = refine(source, target, Q, Refined(rounds=1))[1][1]["criterion"]
    assert abs(found["criterion"] - unweighed) > 1e-5


def test_only_frequent_words_enter_dictionary_and_criterion(pair, space):
    source, target, Q = pair(n=300)
    junk = np.tile(np.eye(20, dtype=np.float32)[:1], (50, 1))
    longer = [space("x", np.vstack([x.vectors, junk])) for x in (source, target)]
    few = Refined(rounds=1, dictionary_words=300, criterion_words=100)
    found = refine(source, target, Q, few)[1]
    assert refine(*longer, Q, few)[1] == found
    expected = (source.vectors @ Q * target.vectors)[:100].sum(axis=1).mean()
    assert found[0]["criterion"] == pytest.approx(expected, abs=1e-4)


JUNK = Start(np.eye(20, dtype=np.float32), {"name": "junk"})


def test_the_best_of_several_starts_is_kept(pair):
    source, target, Q = pair(n=300, noise=0.01)
    good = Start(Q, {"name": "good"})
    found = best_of(iter([JUNK, good, good]), source, target, SETTINGS)
    assert (found.target, found.report["best_start"]) == (None, 1)
    assert "chance" not in found.report
    assert [start["name"] for start in found.report["starts"]] == ["junk", "good", "good"]
    assert (found.source * target.vectors).sum(axis=1).min() > 0.97


@pytest.mark.parametrize(
    ("case", "succeeded"), [("one of two", 1), ("another space", 0), ("all point one way", 0)]
)
def test_how_many_starts_found_more_than_chance(case, succeeded, pair, space, rotated_copy):
    """Starts that fail alike are near to the best; with little text any map brings words near."""
    source, target, Q = pair(n=300, noise=0.01)
    starts = [Start(Q, {}), JUNK]
    if case == "another space":
        target, starts = space("en", rotated_copy(n=300, clusters=5, seed=7)[1]), [JUNK, JUNK]
    elif case == "all point one way":
        mean = np.float32(4) * np.eye(20, dtype=np.float32)[0]
        source, target = (
            space("it", source.vectors + mean @ Q.T),
            space("en", target.vectors + mean),
        )
    found = best_of(starts, source, target, SETTINGS, chance=2).report
    assert (found["succeeded"], len(found["warnings"])) == (succeeded, 1)
    least = found["chance"] + ABOVE * (1 - found["chance"])
    assert (found["criterion"] > least) is (case != "another space")
    assert (found["chance"] > 0.9) is (case == "all point one way")


def test_each_pair_of_languages_and_each_start_has_random_numbers_of_its_own(space):
    it, en, da = (space(x, np.eye(2, dtype=np.float32)) for x in ("it", "en", "da"))
    pairs = ((it, en), (en, it), (da, en))
    drawn = [generator.random() for pair in pairs for generator in generators(1, *pair, 3)]
    drawn += [next(generators(2, it, en, 1)).random()]
    assert len(set(drawn)) == 10
    assert [generator.random() for generator in generators(1, it, en, 2)] == drawn[:2]


CONSTRAINTS = ["spectral", "frobenius", "none"]
PAIRS = np.array([[0, 3], [0, 5], [7, 3], [20, 49], [39, 0], [11, 12]])  # a word comes twice


def csls_loss(W, X, Y, k, full):
    """The definition, pair by pair, with sorted lists."""
    X, Y = X.astype(float) @ W, Y.astype(float)
    sources = range(len(X)) if full else sorted(set(PAIRS[:, 0]))
    targets = range(len(Y)) if full else sorted(set(PAIRS[:, 1]))
    total = 0.0
    for i, j in PAIRS:
        near_i = sorted((X[i] @ Y[t] for t in targets), reverse=True)[:k]
        near_j = sorted((X[s] @ Y[j] for s in sources), reverse=True)[:k]
        total += 2 * X[i] @ Y[j] - np.mean(near_i) - np.mean(near_j)
    return -total / len(PAIRS)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("k", [1, 3, 100])
def test_the_loss_of_rcsls_is_that_of_the_definition_and_so_is_its_slope(full, k):
    rng = np.random.default_rng(0)
    X, Y = (unit_rows(rng.normal(0.3, 1, (n, 6)).astype(np.float32)) for n in (40, 50))
    W = np.eye(6) + 0.3 * rng.normal(size=(6, 6))
    value, gradient = lexicon(X, Y, full, k, 1, PAIRS).loss(W)
    assert value == pytest.approx(csls_loss(W, X, Y, k, full), abs=1e-6)
    for place in ((0, 0), (2, 5), (4, 1)):
        moved = np.zeros_like(W)
        moved[place] = 1e-6
        above, below = (csls_loss(W + x, X, Y, k, full) for x in (moved, -moved))
        assert gradient[place] == pytest.approx((above - below) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("constraint", CONSTRAINTS)
@pytest.mark.parametrize("rate", [1.0, 4000.0])
def test_the_loss_of_rcsls_never_rises(rotated_copy, every, constraint, rate):
    X, Y, _ = rotated_copy(n=300, noise=0.15)
    made, tried = lexicon(X, Y, True, 5, 1, every(100)), rate
    W = orthogonal_map(made.X, made.Y).astype(float)
    value = first = made.loss(W)[0]
    for found, told in islice(steps(made, rate, constraint), 12):
        assert told["rate"] == tried
        assert told["loss"] == pytest.approx(made.loss(found)[0], abs=1e-9)
        assert told["accepted"] == (told["loss"] < value)
        if not told["accepted"]:
            np.testing.assert_array_equal(found, W)
            tried /= 2
        W, value = found, told["loss"]
    assert value < first


def test_projections():
    W = np.random.default_rng(1).normal(size=(6, 6))
    near = projected(W, "spectral")
    assert np.linalg.norm(near, 2) <= 1 + 1e-12
    assert np.linalg.norm(W - near) <= np.linalg.norm(W - W / np.linalg.norm(W, 2))
    assert np.linalg.norm(projected(3 * W, "frobenius")) == pytest.approx(np.sqrt(6))
    for constraint in CONSTRAINTS:
        np.testing.assert_allclose(projected(0.1 * W, constraint), 0.1 * W, atol=1e-12)


def trained(X, Y, pairs, **given):
    return Rcsls(**given).train(X, Y, pairs, np.random.default_rng(0))


@pytest.mark.parametrize("neighbourhoods", ["full", "seeds"])
def test_rcsls_keeps_what_translates_best(rotated_copy, neighbourhoods, every):
    X, Y, _ = rotated_copy(n=500)
    given = {"rates": [1.0, 25.0], "epochs": [2, 4], "neighbourhoods": neighbourhoods}
    W, report = trained(X, Y, every(200), **given)
    assert precision(apply_map(X, W), Y, every(500)[200:]) > 0.9
    trials = report["trials"]
    assert [(x["rate"], x["epochs"]) for x in trials] == [(1, 2), (1, 4), (25, 2), (25, 4)]
    best = max(trials, key=lambda trial: trial["precision"])
    assert (report["rate"], report["epochs"]) == (best["rate"], best["epochs"])
    assert len(report["rcsls"]) == report["epochs"]


def stretched(seed, n, d):
    """One is no rotation of the other: rotations are too few."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) + 0.5
    Y = X @ (np.eye(d) + 0.25 * rng.normal(size=(d, d))) + rng.normal(size=(n, d))
    return (unit_rows(rows.astype(np.float32)) for rows in (X, Y))


def test_rcsls_is_better_than_the_rotation_it_starts_from(every):
    gains = []
    for seed in range(4):
        X, Y = stretched(seed, 600, 15)
        maps = orthogonal_map(X[:300], Y[:300]), trained(X, Y, every(300), rates=[10.0])[0]
        before, after = (precision(apply_map(X, W), Y, every(600)[300:]) for W in maps)
        gains.append(after - before)
    assert np.mean(gains) > 0.01


def test_rounded_it_is_the_rotation_nearest_to_the_map(every):
    """And where there is nothing to choose, all pairs are trained on at once."""
    X, Y = stretched(0, 300, 8)
    W, free = trained(X, Y, every(150), rates=[10.0], epochs=[3])
    rounded, report = trained(X, Y, every(150), rates=[10.0], epochs=[3], rounded=True)
    assert np.linalg.norm(W.T @ W - np.eye(8)) > 0.1
    np.testing.assert_allclose(rounded, polar(W)[0], atol=1e-5)
    assert report == free
    assert (report["trials"], report["rate"], report["epochs"]) == ([], 10, 3)


@pytest.mark.parametrize(("offset", "centre"), [(0.0, False), (0.6, True)])
def test_vectors_are_centred_if_that_translates_better(pair, every, space, offset, centre):
    """Without an offset both translate all words, and vectors stay as they are."""
    source, target, _ = pair(n=200, noise=0.0)
    spaces = source, space("en", unit_rows(target.vectors + np.float32(offset)))
    training = SimpleNamespace(seed=3, threads=1)
    system = Rcsls(rates=[10.0], epochs=[1])
    solve = partial(system.solve, pairs=every(100), training=training)
    found = solve(*spaces, chooses=True)
    trials = [(x["centre"], x["precision"]) for x in found.report["trials"]]
    assert [x for x, _ in trials] == [False, True]
    assert (trials[0][1] < trials[1][1] == 1.0) is centre is found.report["centre"]
    if centre:
        spaces = [replace(x, vectors=search.centred(x.vectors)) for x in spaces]
    assert found.source.tobytes() == solve(*spaces).source.tobytes()
    assert found.target.tobytes() == spaces[1].vectors.tobytes()


def test_words_are_held_out_with_all_their_pairs(rotated_copy, every, monkeypatch):
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
