import numpy as np

from cr5.systems.vecmap_supervised import VecmapSupervised


def test_fewer_pairs_than_dimensions_stay_finite(space, every):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5)) * np.arange(1, 6)
    Y = X @ rng.normal(size=(5, 5)) + rng.normal(size=(120, 5))
    spaces = space("en", X.astype(np.float32)), space("it", Y.astype(np.float32))
    assert np.isfinite(VecmapSupervised().solve(*spaces, every(3)).source).all()
