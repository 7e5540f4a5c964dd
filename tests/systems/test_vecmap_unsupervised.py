import numpy as np
import pytest

from cr5.base.rows import unit_rows
from cr5.search import similarity
from cr5.systems.mapping.annealing import Annealing, induce, of_rank, ranks, self_learn


def two_spaces(n, m, seed=1):
    rng = np.random.default_rng(seed)
    return [unit_rows(rng.normal(0.3, 1, (size, 5)).astype(np.float32)) for size in (n, m)]


def dense(X, Y, k):
    """Pairs and objective by the definition, on full matrices."""
    S = X.astype(float) @ Y.astype(float).T
    r_T = np.sort(S, axis=1)[:, ::-1][:, :k].mean(axis=1)
    r_S = np.sort(S, axis=0)[::-1][:k].mean(axis=0)
    csls = 2 * S - r_T[:, None] - r_S
    forward, backward = csls.argmax(axis=1), csls.argmax(axis=0)
    pairs = [*enumerate(forward), *((i, j) for j, i in enumerate(backward))]
    return pairs, (S.max(axis=1).mean() + S.max(axis=0).mean()) / 2


@pytest.mark.parametrize("rows", [16, 512])
def test_all_similarities_give_the_dictionary_of_csls(monkeypatch, rows):
    monkeypatch.setattr(similarity, "ROWS", rows)
    X, Y = two_spaces(61, 47)
    pairs, objective = induce(X, Y, 5, 1.0, np.random.default_rng(0))
    expected, expected_objective = dense(X, Y, 5)
    assert pairs.tolist() == [[int(i), int(j)] for i, j in expected]
    assert objective == pytest.approx(expected_objective, rel=1e-6)


def test_the_objective_does_not_hang_on_what_is_kept():
    X, Y = two_spaces(61, 47)
    pairs, objective = induce(X, Y, 5, 0.1, np.random.default_rng(0))
    expected, expected_objective = dense(X, Y, 5)
    assert objective == pytest.approx(expected_objective, rel=1e-6)
    same = np.mean([tuple(pair) == tuple(want) for pair, want in zip(pairs, expected, strict=True)])
    assert same < 0.4


def test_ranks_are_distributed_as_the_best_of_those_a_mask_keeps():
    drawn = ranks(20_000, 4, 0.3, np.random.default_rng(0))
    kept = np.random.default_rng(1).random((20_000, 4)) < 0.3
    kept[:, 3] = True  # where none is kept it is the last one
    expected = np.bincount(kept.argmax(axis=1)) / 20_000
    np.testing.assert_allclose(np.bincount(drawn) / 20_000, expected, atol=0.015)
    assert not ranks(50, 4, 1.0, np.random.default_rng(0)).any()


def test_of_rank_equals_sorting():
    rng = np.random.default_rng(2)
    scores, rank = rng.normal(size=(50, 30)).astype(np.float32), rng.integers(0, 12, 50)
    expected = np.argsort(-scores, axis=1)[np.arange(50), rank]
    assert (of_rank(scores, rank) == expected).all()
    assert of_rank(np.array([[1, 3, 3, 2]]), np.array([1])).tolist() == [1]  # the first of equals


def test_annealing_by_hand():
    annealing = Annealing(patience=2, steps=5000)
    objectives = [0.1, 0.3, 0.3 + 5e-7, 0.3, *[0.5] * 9]
    keeps, over = [], []
    for objective in objectives:
        keeps.append(annealing.keep)
        over.append(annealing.update(objective))
    # The third is not enough above the second.
    assert keeps == [0.1] * 4 + [0.2] * 3 + [0.4] * 2 + [0.8] * 2 + [1.0] * 2
    assert over == [False] * 12 + [True]
    assert annealing.converged
    assert annealing.history == [
        {"keep": 0.1, "steps": 4, "objective": 0.3},
        {"keep": 0.2, "steps": 3, "objective": 0.5},
        {"keep": 0.4, "steps": 2, "objective": 0.5},
        {"keep": 0.8, "steps": 2, "objective": 0.5},
        {"keep": 1.0, "steps": 2, "objective": 0.5},
    ]


def test_the_last_step_that_is_allowed_is_not_convergence():
    annealing = Annealing(patience=50, steps=3)
    assert [annealing.update(objective) for objective in (0.1, 0.2, 0.3)] == [False, False, True]
    assert not annealing.converged
    assert annealing.history == [{"keep": 0.1, "steps": 3, "objective": 0.3}]


def poor(n, right, rng):
    """Pairs of which a share is right."""
    return np.column_stack(
        [
            np.arange(n),
            np.where(rng.random(n) < right, np.arange(n), rng.integers(0, n, n)),
        ]
    )


def test_a_rotation_is_recovered_from_a_dictionary_that_is_mostly_wrong(rotated_copy):
    X, Y, Q = rotated_copy(n=400)
    pairs = poor(400, 0.1, np.random.default_rng(3))
    sizes = {"words": 20_000, "neighbours": 5, "patience": 3, "steps": 5000}
    found = self_learn(X, Y, pairs, np.random.default_rng(0), **sizes)
    np.testing.assert_allclose(found.W, Q, atol=0.02)
    assert (found.report["first_pairs"], found.report["converged"]) == (400, True)
    history = found.report["learning"]
    assert [entry["keep"] for entry in history] == [0.1, 0.2, 0.4, 0.8, 1.0]
    objectives = [entry["objective"] for entry in history]
    assert objectives == sorted(objectives)


def test_only_the_most_frequent_words_are_learned_from(rotated_copy):
    X, Y, Q = rotated_copy(n=400, noise=0.01)
    X = np.vstack([X[:300], X[:100]])  # the last hundred would mislead
    pairs = poor(300, 1, np.random.default_rng(0))
    sizes = {"words": 300, "neighbours": 5, "patience": 2, "steps": 5000}
    found = self_learn(X, Y, pairs, np.random.default_rng(0), **sizes)
    np.testing.assert_allclose(found.W, Q, atol=0.02)
