import numpy as np
import pytest
from scipy import linalg
from sklearn.cross_decomposition import CCA

from cr5.base.options import complete
from cr5.base.rows import unit_rows
from cr5.fitting import fit as fitting
from cr5.systems import multicca
from cr5.systems.multicca import OPTIONS, solve


def correlated(seed=0, n=300, d=4):
    """Two views of three shared numbers, and noise; unit rows of no mean of zero."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 3))
    views = (shared @ rng.normal(size=(3, d)) + 0.7 * rng.normal(size=(n, d)) for _ in range(2))
    return [unit_rows((view + 1).astype(np.float32)) for view in views]


def centred(rows):
    return rows - rows.mean(axis=0, dtype=float)


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_whitens_rotates_and_takes_the_shape_of_the_target(space, every, ridge):
    """A B^-1 is Cxx^-1/2 R Cyy^1/2, R the orthogonal factor of Cxx^-1/2 Cxy Cyy^-1/2."""
    X, Y = correlated()
    options = complete(OPTIONS, {"ridge": ridge})
    found = solve(space("da", X), space("en", Y), every(300), options)
    Xc, Yc = centred(X), centred(Y)
    Cx, Cy = (linalg.sqrtm(Z.T @ Z / 300 + ridge * np.eye(4)) for Z in (Xc, Yc))
    R, _ = linalg.polar(linalg.inv(Cx) @ Xc.T @ Yc @ linalg.inv(Cy))
    expected = unit_rows(Xc @ linalg.inv(Cx) @ R @ Cy + Y.mean(axis=0))
    np.testing.assert_allclose(found.source, expected, atol=1e-4)
    assert found.target is None


def test_correlations_are_scikit_learns(space, every):
    X, Y = correlated(1)
    found = solve(space("da", X), space("en", Y), every(300), complete(OPTIONS, {}))
    P, Q = CCA(4, scale=False, max_iter=20_000, tol=1e-14).fit(X, Y).transform(X, Y)
    expected = [np.corrcoef(P[:, i], Q[:, i])[0, 1] for i in range(4)]
    np.testing.assert_allclose(found.report["correlations"], expected, atol=1e-5)


def test_a_linear_map_is_recovered_for_three_languages(training_of):
    """Each language has the pivot's vectors under a map of its own: all meet again."""
    rng = np.random.default_rng(2)
    pivot = unit_rows(rng.normal(size=(50, 5)).astype(np.float32))
    maps = {"da": rng.normal(size=(5, 5)), "it": rng.normal(size=(5, 5))}
    words = {x: [f"w{i:02}" for i in range(50)] for x in ("da", "en", "it")}
    vectors = {x: (pivot @ W).astype(np.float32) for x, W in maps.items()} | {"en": pivot}
    given = training_of(words, vectors=vectors)
    fitted = fitting.fit(multicca, given, {"seeds": "identical"})
    cosines = {x: fitted.model.tables[x] @ pivot.T for x in words}
    for x in words:
        assert (cosines[x].argmax(axis=1) == np.arange(50)).mean() > 0.9
    assert set(fitted.report["pairs"]) == {"da-en", "it-en"}
