"""Refinement, maps from several starts, and what the systems that start so have in common."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from cr5.systems.maps.advrefine import AdvRefine
from cr5.systems.maps.family import Refined
from cr5.systems.maps.icp import Icp
from cr5.systems.maps.search import apply_map, orthogonal_map, translate
from cr5.systems.maps.starts import ABOVE, Start, best_of, generators, judged, refine
from cr5.systems.maps.vecmap_unsupervised import VecmapUnsupervised
from cr5.systems.maps.wasserstein import Wasserstein

SETTINGS = Refined(rounds=2, neighbours=5)
QUICK = {"starts": 2, "rounds": 2, "neighbours": 5}
SYSTEMS = {
    VecmapUnsupervised: QUICK | {"patience": 2, "centre": False},
    Wasserstein: QUICK | {"plan_steps": 8, "epochs": 1, "steps": 3, "batch": 150},
    Icp: QUICK | {"axes": 3, "trials": 20},
}


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
    own = np.arange(len(source.words))
    assert (translate(apply_map(source.vectors, W0), target.vectors) == own).mean() < 0.4
    found = refine(source, target, W0, Refined(rounds=8, mutual=mutual))
    np.testing.assert_allclose(found.W, Q, atol=0.1)
    assert (found.history[1]["pairs"] < len(own)) is mutual
    scores = [entry["criterion"] for entry in found.history]
    assert (found.best, found.criterion) == (int(np.argmax(scores)), max(scores))


def test_procrustes_weighs_words_by_the_lengths_that_count(pair):
    source, target, Q = pair(n=200)
    lengths = np.random.default_rng(1).uniform(0.1, 5, 200).astype(np.float32)
    long = [replace(x, lengths=lengths) for x in (source, target)]
    found = refine(*long, Q, Refined(rounds=1)).history[1]
    assert found["pairs"] == 200  # each with its counterpart, as before
    W = orthogonal_procrustes(*(x.vectors * lengths[:, None] for x in (source, target)))[0]
    assert found["criterion"] == pytest.approx(judged(source, target, W, SETTINGS)[2], abs=1e-6)
    unweighed = refine(source, target, Q, Refined(rounds=1)).history[1]["criterion"]
    assert abs(found["criterion"] - unweighed) > 1e-5


def test_a_start_that_nothing_improves_is_kept(pair):
    source, target, Q = pair(n=300, noise=0)
    found = refine(source, target, Q, Refined(rounds=1))
    assert found.history[0]["criterion"] == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(found.W, Q, atol=1e-5)


def test_only_frequent_words_enter_dictionary_and_criterion(pair, space):
    source, target, Q = pair(n=300)
    junk = np.tile(np.eye(20, dtype=np.float32)[:1], (50, 1))
    longer = [space("x", np.vstack([x.vectors, junk])) for x in (source, target)]
    few = Refined(rounds=1, dictionary_words=300, criterion_words=100)
    found = refine(source, target, Q, few)
    assert refine(*longer, Q, few).history == found.history
    expected = (source.vectors @ Q * target.vectors)[:100].sum(axis=1).mean()
    assert found.history[0]["criterion"] == pytest.approx(expected, abs=1e-4)


def test_the_best_of_several_starts_is_kept(pair):
    source, target, Q = pair(n=300, noise=0.01)
    junk = Start(np.eye(20, dtype=np.float32), {"name": "junk"})
    good, likewise = Start(Q, {"name": "good"}), Start(Q, {"name": "good"})
    found = best_of(iter([junk, good, likewise]), source, target, SETTINGS)
    assert found.target is None
    assert found.report["best_start"] == 1
    assert "chance" not in found.report
    assert [start["name"] for start in found.report["starts"]] == ["junk", "good", "good"]
    best = found.report["starts"][1]["refinement"]
    assert found.report["criterion"] == max(entry["criterion"] for entry in best)
    assert (found.source * target.vectors).sum(axis=1).min() > 0.97


def least(report):
    return report["chance"] + ABOVE * (1 - report["chance"])


def test_where_nothing_is_found_no_start_succeeds(pair, space, rotated_copy):
    """Starts that fail alike are near to the best of them, and no better than chance."""
    source, target, Q = pair(n=300, noise=0.01)
    unlike = space("en", rotated_copy(n=300, clusters=5, seed=7)[1])  # another space altogether
    junk = Start(np.eye(20, dtype=np.float32), {})
    lost = best_of([junk, junk], source, unlike, SETTINGS, chance=2).report
    assert (lost["succeeded"], len(lost["warnings"])) == (0, 1)
    assert lost["criterion"] < least(lost)
    good = best_of([Start(Q, {}), junk], source, target, SETTINGS, chance=2).report
    assert (good["succeeded"], len(good["warnings"])) == (1, 1)
    assert good["criterion"] > least(good)


def test_where_any_map_brings_words_near_no_start_succeeds(rotated_copy, space):
    """As of little text: vectors that all point one way."""
    X, Y, Q = rotated_copy(n=300, noise=0.01)
    mean = np.float32(4) * np.eye(20, dtype=np.float32)[0]
    narrow = space("it", X + mean @ Q.T), space("en", Y + mean)
    found = best_of([Start(Q, {})] * 2, *narrow, SETTINGS, chance=2).report
    assert found["chance"] > 0.9
    assert found["criterion"] > least(found)
    assert found["succeeded"] == 0


def test_each_pair_of_languages_and_each_start_has_random_numbers_of_its_own(space):
    it, en, da = (space(x, np.eye(2, dtype=np.float32)) for x in ("it", "en", "da"))
    pairs = ((it, en), (en, it), (da, en))
    drawn = [generator.random() for pair in pairs for generator in generators(1, *pair, 3)]
    drawn += [next(generators(2, it, en, 1)).random()]
    assert len(set(drawn)) == 10
    assert [generator.random() for generator in generators(1, it, en, 2)] == drawn[:2]


@pytest.mark.parametrize("system", SYSTEMS)
def test_recovers_a_rotation_and_reports_how_many_starts_did(system, training_of, rotated_copy):
    """Italian is English turned and shuffled."""
    Y, X, _ = rotated_copy(n=200, d=10, noise=0.01)
    order = np.random.default_rng(1).permutation(200)
    words = {"en": [f"e{i}" for i in range(200)], "it": [f"i{i}" for i in order]}
    found = system(**SYSTEMS[system]).fit(training_of(words, vectors={"en": Y, "it": X[order]}))
    english, italian = (found.model.tables[x] for x in ("en", "it"))
    assert (italian * english[order]).sum(axis=1).min() > 0.95
    report = found.report["pairs"]["it-en"]
    assert report["succeeded"] == len(report["starts"]) == 2


@pytest.mark.parametrize("chosen", [*SYSTEMS, AdvRefine])
def test_the_seed_alone_decides_on_the_starts(chosen, pair):
    few = {"starts": 1, "trials": 2, "icp_steps": 3, "axes": 8, "plan_steps": 2, "steps": 4}
    few |= {"epochs": 1, "samples": 320, "batch": 16, "hidden": 8}
    given = chosen(**{x: few[x] for x in few if x in chosen.model_fields})
    spaces = pair(n=120, d=8)[:2]
    first, again, other = (next(given.begin(*spaces, seed)) for seed in (0, 0, 1))
    assert first.W.tobytes() == again.W.tobytes() != other.W.tobytes()
    assert first.report == again.report
