import numpy as np

from cr5.systems.mapping.refinement import RefinementSettings
from cr5.systems.mapping.spaces import Space
from cr5.systems.mapping.starts import Start, best_of

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
    assert found.report["succeeded"] == 2
    assert [start["name"] for start in found.report["starts"]] == ["junk", "good", "good"]
    histories = [start["refinement"] for start in found.report["starts"]]
    assert [len(history) for history in histories] == [3, 3, 3]
    assert found.report["criterion"] == max(entry["criterion"] for entry in histories[1])
    np.testing.assert_allclose(np.linalg.norm(found.source, axis=1), 1, atol=1e-6)
    assert (found.source * Y).sum(axis=1).min() > 0.97
