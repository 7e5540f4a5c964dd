"""Maps from several starts, and what the systems that start so have in common."""

import json

import numpy as np
import pytest

from cr5.fitting.fit import fit
from cr5.systems.advrefine import AdvRefine
from cr5.systems.icp import Icp
from cr5.systems.mapping.family import Refined
from cr5.systems.mapping.starts import ABOVE, Start, best_of, generators
from cr5.systems.vecmap_unsupervised import VecmapUnsupervised
from cr5.systems.wasserstein import Wasserstein

SETTINGS = Refined(rounds=2, neighbours=5)
QUICK = {"starts": 2, "rounds": 2, "neighbours": 5}
SYSTEMS = {
    VecmapUnsupervised: QUICK | {"patience": 2, "centre": False},
    Wasserstein: QUICK | {"plan_steps": 8, "epochs": 1, "steps": 3, "batch": 150},
    Icp: QUICK | {"axes": 3, "trials": 20},
}


def test_the_best_of_several_starts_is_kept(rotated_copy, space):
    X, Y, Q = rotated_copy(n=300, noise=0.01)
    junk = Start(np.eye(20, dtype=np.float32), {"name": "junk"})
    good, likewise = Start(Q, {"name": "good"}), Start(Q, {"name": "good"})
    found = best_of(iter([junk, good, likewise]), space("it", X), space("en", Y), SETTINGS)
    assert found.target is None
    assert found.report["best_start"] == 1
    assert "succeeded" not in found.report
    assert [start["name"] for start in found.report["starts"]] == ["junk", "good", "good"]
    histories = [start["refinement"] for start in found.report["starts"]]
    assert [len(history) for history in histories] == [3, 3, 3]
    assert found.report["criterion"] == max(entry["criterion"] for entry in histories[1])
    np.testing.assert_allclose(np.linalg.norm(found.source, axis=1), 1, atol=1e-6)
    assert (found.source * Y).sum(axis=1).min() > 0.97


def test_each_pair_of_languages_and_each_start_has_random_numbers_of_its_own(space):
    it, en, da = (space(x, np.eye(2, dtype=np.float32)) for x in ("it", "en", "da"))
    drawn = [
        generator.random()
        for pair in ((it, en), (en, it), (da, en))
        for generator in generators(1, *pair, 3)
    ]
    drawn += [next(generators(2, it, en, 1)).random()]
    assert len(set(drawn)) == 10
    assert [generator.random() for generator in generators(1, it, en, 2)] == drawn[:2]


def least(chance):
    return chance + ABOVE * (1 - chance)


def test_where_nothing_is_found_no_start_succeeds(rotated_copy, space):
    """Starts that fail alike are near to the best of them, and no better than chance."""
    X, Y, Q = rotated_copy(n=300, noise=0.01)
    unlike = rotated_copy(n=300, clusters=5, seed=7)[1]  # another space altogether
    junk = Start(np.eye(20, dtype=np.float32), {})
    of_chance = best_of([junk, junk], space("it", X), space("en", unlike), SETTINGS, chance=2)
    assert of_chance.report["succeeded"] == 0
    assert of_chance.report["criterion"] < least(of_chance.report["chance"])
    good = best_of([Start(Q, {}), junk], space("it", X), space("en", Y), SETTINGS, chance=2)
    assert good.report["succeeded"] == 1
    assert good.report["warnings"] == ["1 of 2 starts succeeded: another seed may find nothing"]
    assert of_chance.report["warnings"] == ["0 of 2 starts succeeded: nothing was found"]
    assert good.report["criterion"] > least(good.report["chance"])
    assert "chance" not in best_of([junk], space("it", X), space("en", Y), SETTINGS).report


def test_where_any_map_brings_words_near_no_start_succeeds(rotated_copy, space):
    """As of little text: vectors that all point one way."""
    X, Y, Q = rotated_copy(n=300, noise=0.01)
    mean = np.float32(4) * np.eye(20, dtype=np.float32)[0]
    narrow = space("it", X + mean @ Q.T), space("en", Y + mean)
    found = best_of([Start(Q, {})] * 2, *narrow, SETTINGS, chance=2).report
    assert found["chance"] > 0.9
    assert found["criterion"] > least(found["chance"])
    assert found["succeeded"] == 0


@pytest.fixture(params=SYSTEMS)
def system(request):
    return request.param


@pytest.fixture
def planted(training_of, rotated_copy):
    """Italian is English turned and shuffled: the words, and the order they came in."""

    def make(**given):
        Y, X, _ = rotated_copy(n=200, d=10, noise=0.01)
        order = np.random.default_rng(1).permutation(200)
        words = {"en": [f"e{i}" for i in range(200)], "it": [f"i{i}" for i in order]}
        return training_of(words, vectors={"en": Y, "it": X[order]}, **given), order

    return make


def test_recovers_a_rotation_and_reports_how_many_starts_did(system, planted):
    training, order = planted()
    found = fit(system(**SYSTEMS[system]), training)
    english, italian = (found.model.tables[x] for x in ("en", "it"))
    assert (italian * english[order]).sum(axis=1).min() > 0.95
    report = found.report["pairs"]["it-en"]
    assert report["succeeded"] == len(report["starts"]) == 2
    assert report["criterion"] > 0.95
    assert json.loads(json.dumps(found.report)) == found.report


@pytest.mark.parametrize("chosen", [*SYSTEMS, AdvRefine])
def test_the_seed_alone_decides_on_the_starts(chosen, rotated_copy, space):
    X, Y, _ = rotated_copy(n=120, d=8)
    few = {"starts": 1, "trials": 2, "icp_steps": 3, "axes": 8, "plan_steps": 2, "steps": 4}
    few |= {"epochs": 1, "samples": 320, "batch": 16, "hidden": 8}
    given = chosen(**{x: few[x] for x in few if x in chosen.model_fields})
    first, again, other = (
        next(given.begin(space("it", X), space("en", Y), seed)) for seed in (0, 0, 1)
    )
    assert first.W.tobytes() == again.W.tobytes() != other.W.tobytes()
    assert first.report == again.report


def test_both_directions_alone(system, planted):
    training, _ = planted()
    found = fit(system(**SYSTEMS[system] | {"directed": True, "starts": 1}), training)
    assert set(found.report["pairs"]) == {"it-en", "en-it"}
