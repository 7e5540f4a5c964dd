import numpy as np

from cr5.systems.mapping.refinement import RefinementSettings
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import ABOVE, Start, best_of, generators

SETTINGS = RefinementSettings(rounds=2, neighbours=5)


def space(language, vectors):
    return Space(language, [f"w{i}" for i in range(len(vectors))], np.arange(len(vectors)), vectors)


def test_the_best_of_several_starts_is_kept(rotated_copy):
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


def test_each_pair_of_languages_and_each_start_has_random_numbers_of_its_own():
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


def test_where_nothing_is_found_no_start_succeeds(rotated_copy):
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
