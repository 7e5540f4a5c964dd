"""Networks: losses, ranks and steps written out or by differences; what each stage learns from."""

from itertools import chain, pairwise
from math import exp, log1p
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from cr5.contracts.training import Channel
from cr5.fitting.fit import fit
from cr5.systems.algebra.columns import columns_of
from cr5.systems.networks import boltzmann, trained, training
from cr5.systems.networks.composition import random_start, word_vectors
from cr5.systems.networks.contrast import contrast
from cr5.systems.networks.family import Contrasted
from cr5.systems.networks.mono_xcnn import MonoXcnn
from cr5.systems.networks.optimisers import Adam, conjugate_gradients
from cr5.systems.networks.pairs import Pairs, hold_out
from cr5.systems.networks.s2net import S2net
from cr5.systems.networks.training import batch_loss, reciprocal_rank
from cr5.systems.networks.xcnn import Xcnn
from cr5.systems.projections import pencils
from cr5.systems.projections.opca import Opca
from tests.systems.conftest import differences


class Keys(Contrasted):
    """The keys of networks that are trained by contrast, without a network."""

    def fit(self, training):
        raise NotImplementedError


# Two texts: cosines with their answers are 1 and 0, with negatives 0, .6 and .8, 1.
Y = np.array([[2.0, 0.0], [0.0, 5.0]])
P = np.array([[3.0, 0.0], [1.0, 0.0]])
N = np.array([[[0.0, 1.0], [0.6, 0.8]], [[0.6, 0.8], [0.0, 2.0]]])


def softplus(x):
    return log1p(exp(x))


def texts(n=12, words=9):
    return sparse.csr_matrix(np.random.default_rng(3).poisson(0.6, (n, words)).astype(float))


def check_slopes(loss, parameters):
    """Raise unless its derivatives by the parameters are those of differences."""
    found = loss(parameters)[1]()
    for p, slope in zip(parameters, found, strict=True):
        expected = differences(lambda: loss(parameters)[0], p)
        np.testing.assert_allclose(slope, expected, atol=1e-8)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, -(1 + 0.4 - 0.8 - 1) / 4),
        ({"hardest": True}, -(0.4 - 1) / 2),
        ({"loss": "margin"}, (0 + 0.1 + 1.3 + 1.5) / 4),
        ({"loss": "margin", "hardest": True}, (0.1 + 1.5) / 2),
        ({"loss": "logistic"}, (softplus(-10) + softplus(-4) + softplus(8) + softplus(10)) / 4),
        ({"loss": "logistic", "hardest": True}, (softplus(-4) + softplus(10)) / 2),
    ],
)
def test_losses_by_hand(options, expected):
    assert contrast(Y, P, N, **options).loss == pytest.approx(expected)


def test_a_text_of_zeros_has_cosine_zero_and_no_derivative():
    rows, none = np.array([[1.0, 1.0]]), np.zeros((1, 2))
    found = contrast(none, rows, rows[None])
    assert found.loss == 0
    assert not found.by_texts.any()
    assert not found.by_answers.any()


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"loss": "margin"}, {"loss": "logistic"}, {"hardest": True, "negatives": 2}]
)
def test_the_loss_of_a_batch_and_its_derivatives(options, linear, fixed):
    generator = np.random.default_rng(5)
    others = generator.normal(size=(12, 3)) if fixed else None
    queries, answers = np.array([0, 1, 5, 7]), np.array([2, 3, 4, 0])
    pairs = Pairs(texts(), queries, answers, np.arange(4), others)
    negatives = [np.array([4, 2, 0, 3]), np.array([9, 8, 8, 2])][: options.get("negatives", 1)]
    system = Keys(**options)
    words, loss = batch_loss(pairs, negatives, system)
    W, b = generator.normal(size=(9, 3)), generator.normal(size=3)
    check_slopes(loss, [W[words]] if linear else [W[words], b])
    table = pairs.X @ (W if linear else np.tanh(W + b))  # Eq. 5, 6
    every = table if others is None else others
    given = table[queries], every[answers], every[np.array(negatives)]
    value = loss([W[words]] if linear else [W[words], b])[0]
    assert value == pytest.approx(contrast(*given, system.loss, system.hardest).loss)


def test_a_word_passes_through_further_layers_alone():
    generator = np.random.default_rng(5)
    pairs = Pairs(texts(), np.array([0, 1, 5]), np.array([2, 3, 4]), np.arange(3))
    words, loss = batch_loss(pairs, [np.array([4, 2, 3])], Keys())
    shapes = [(9, 3), 3, (3, 3), 3, (3, 3), 3]
    parameters = [generator.normal(size=shape) for shape in shapes]
    W, b, V, c, U, d = parameters
    table = np.tanh(np.tanh(np.tanh(W + b) @ V + c) @ U + d)
    np.testing.assert_allclose(word_vectors(parameters), table)
    check_slopes(loss, [W[words], b, V, c, U, d])
    drawn = random_start(np.random.default_rng(1), 9, 3, layers=3)
    assert [x.shape for x in drawn] == [x.shape for x in parameters]


ALIKE = [[1.0, 0.0]] * 3  # the third answer is nearer than the second, and that than the first
NEARER = [[0.0, 1], [1, 0.2], [1, 0.1]]
TURNED = [[1.0, 0], [0.8, 0.6], [0.6, 0.8], [-1, 0]]


@pytest.mark.parametrize(
    ("X", "queries", "answers", "groups", "fixed", "ranks"),
    [
        ([[1.0, 0, 0], [1, 1, 0], [0, 0, 0]], [0, 1, 2], [0, 1, 2], None, np.eye(3), [1, 2, 3]),
        (np.eye(2), [0, 0, 0], [1, 1, 0], None, np.eye(2), [2, 2, 1]),
        (TURNED, [0, 1, 2, 3], [1, 0, 3, 2], None, None, [1, 2, 3, 1]),
        (ALIKE, [0, 1, 2], [0, 1, 2], None, NEARER, [3, 2, 1]),
        (ALIKE, [0, 1, 2], [0, 1, 2], [0, 0, 1], NEARER, [2, 2, 1]),
        (np.full((4, 2), np.nan), [0, 1], [2, 3], None, None, [2, 2]),
    ],
    ids=["ties", "equal answers", "own query", "alone", "of one group", "not finite"],
)
def test_the_rank_of_answers(X, queries, answers, groups, fixed, ranks):
    """Ties count against; neither a query nor other answers of its group are candidates."""
    groups = np.arange(len(queries)) if groups is None else np.array(groups)
    fixed = None if fixed is None else np.array(fixed)
    pairs = Pairs(sparse.csr_matrix(X), np.array(queries), np.array(answers), groups, fixed)
    W = np.eye(pairs.X.shape[1])
    assert reciprocal_rank([W], pairs) == pytest.approx(np.mean(1 / np.array(ranks)))
    assert reciprocal_rank([W], pairs[np.zeros(0, int)]) is None


def test_an_epoch_takes_each_pair_once_and_no_answer_of_its_group_as_a_negative(monkeypatch):
    """Of three groups, two of one pair and one of many, which mostly get their own answer."""
    seen = []

    def noted(pairs, negatives, system):
        seen.append(list(zip(pairs.groups, pairs.answers, negatives[0], strict=True)))
        return np.zeros(0, int), None

    monkeypatch.setattr(training, "batch_loss", noted)
    monkeypatch.setattr(training, "BATCH", 7)
    groups = np.array([0, 1, *[2] * 18])
    pairs = Pairs(sparse.csr_matrix(np.eye(20)), np.arange(20), np.arange(20), groups)
    step, generator = lambda *_: 0.0, np.random.default_rng(0)
    training.run_epoch([np.eye(20)], pairs, step, Keys(), generator)
    assert [len(each) for each in seen] == [7, 7, 6]
    every = list(chain(*seen))
    assert sorted(answer for _, answer, _ in every) == list(range(20))
    assert all(n == answer or groups[n] != group for group, answer, n in every)
    assert any(n != answer for _, answer, n in every)


@pytest.mark.parametrize(
    ("n", "share", "expected"),
    [(9, 0.02, 0), (600, 0.02, 60), (4000, 0.02, 100), (20_000, 0.02, 400), (600, 0.0, 0)],
)
def test_groups_are_held_out_whole(n, share, expected):
    groups, rows = np.arange(2 * n) // 2, np.arange(2 * n)
    pairs = Pairs(sparse.csr_matrix((2 * n, 1)), rows, rows[::-1], groups)
    held, kept = hold_out(pairs, share, np.random.default_rng(0))
    assert len(held.queries) == 2 * expected
    assert {*groups[held.queries]}.isdisjoint(groups[kept.queries])
    assert len(kept.queries) == 2 * (n - expected)


def test_the_best_epoch_is_kept_and_training_ends(monkeypatch):
    """After each step the network is worse."""
    steps = []

    def worse(loss, parameters, rows):
        parameters[0] += 1
        steps.append(rows)
        return 0.0

    monkeypatch.setattr(training, "conjugate_gradients", worse)
    X, n = sparse.csr_matrix(np.eye(20)), np.arange(20)
    parameters, generator = [2.0 * np.eye(20)], np.random.default_rng(0)
    pairs = Pairs(X, n, n, n, np.eye(20))
    report = training.train(parameters, *hold_out(pairs, 0.1, generator), 10, Keys(), generator)
    assert (report["best_epoch"], report["mrr"], len(steps)) == (0, 1, 5)
    np.testing.assert_array_equal(parameters[0], 2 * np.eye(20))
    report = training.train(parameters, *hold_out(pairs, 0, generator), 10, Keys(), generator)
    assert (report["held_out"], report["best_epoch"], len(steps)) == (0, 10, 15)


def test_conjugate_gradients_find_the_minimum_of_a_quadratic():
    """In as many iterations as dimensions; rows of no batch stay; what words share is one."""
    generator, calls = np.random.default_rng(0), []
    turn, centre = np.linalg.qr(generator.normal(size=(3, 3)))[0], generator.normal(size=3)
    M = turn @ np.diag([3.0, 5.0, 9.0]) @ turn.T

    def loss(parameters):
        away = parameters[0].ravel() - centre
        calls.append(away)
        return float(away @ M @ away / 2), lambda: [(M @ away).reshape(-1, 1)]

    W, rows = np.zeros((5, 1)), np.array([1, 2, 4])
    assert conjugate_gradients(loss, [W], rows) == pytest.approx(centre @ M @ centre / 2)
    np.testing.assert_allclose(W[rows, 0], centre, atol=1e-9)
    assert not W[[0, 3]].any()
    assert len(calls) <= 1 + 3 * 3
    W, b = np.zeros((8, 1)), np.zeros(1)
    conjugate_gradients(
        lambda p: (float(p[0].sum() + 8 * p[1][0]), lambda: [np.ones_like(W), np.full(1, 8.0)]),
        [W, b],
        np.arange(8),
    )
    assert b[0] < -0.1
    np.testing.assert_allclose(W, np.tile(b, (8, 1)))


def test_adam_is_the_papers_for_the_rows_of_a_batch():
    gradients = np.random.default_rng(0).normal(size=(5, 3))
    W, b, bias_gradients = np.zeros((4, 1)), np.zeros(1), gradients[:, 2]
    how, rows = Adam([W, b], 0.1), np.array([1, 3])
    for g in gradients:
        how.step(lambda p, g=g: (0.0, lambda: [g[:2, None], g[2:]]), [W, b], rows)
    for found, of_one in ((W[1], gradients[:, 0]), (W[3], gradients[:, 1]), (b, bias_gradients)):
        p, m, v = 0.0, 0.0, 0.0
        for t, g in enumerate(of_one, start=1):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
            p -= 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        np.testing.assert_allclose(found[0], p, rtol=1e-12)
    assert not W[[0, 2]].any()


@pytest.mark.parametrize("block", [7, 1024])
def test_answers_are_the_nearest_texts_with_other_counts(monkeypatch, block):
    """All cosines written out; of equal texts the first stands for all."""
    monkeypatch.setattr(trained, "BLOCK", block)
    counts = np.random.default_rng(0).poisson(0.15, (60, 25))
    counts[7] = counts[30] = counts[2]  # doubles, which may not answer each other
    counts[[11, 12]] = 0
    counts[12, 24], counts[:12, 24], counts[13:, 24] = 1, 0, 0  # a word of its own
    known = counts.any(axis=1)
    rows = counts * (np.log(known.sum() / np.maximum((counts[known] > 0).sum(axis=0), 1)) + 1)
    rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    pairs = []
    for i in np.flatnonzero(known):
        equal = (counts == counts[i]).all(axis=1)
        found = np.where(equal, 0, rows @ rows[i])
        best = np.flatnonzero(found > found.max() - 1e-6)[0]
        if found[best] > 0:
            pairs.append((np.flatnonzero(equal)[0], best))
    np.testing.assert_array_equal(
        trained.most_relevant(sparse.csr_matrix(counts), False), np.transpose(pairs)
    )
    for found in trained.most_relevant(sparse.csr_matrix(counts), self_matches=True):
        np.testing.assert_array_equal(found, np.flatnonzero(known))


@pytest.mark.parametrize("widths", [(7, 3), (7, 5, 4, 3)])
def test_derivatives_of_the_autoencoder_are_those_of_differences(widths):
    generator, X = np.random.default_rng(0), texts(6, 7)
    machines = [
        [generator.normal(size=shape) for shape in ((a, b), b, a)] for a, b in pairwise(widths)
    ]
    check_slopes(boltzmann.reconstruction(X, texts(6, 7)[::-1]), boltzmann.unrolled(machines))


def logistic(x):
    return 1 / (1 + np.exp(-x))


def test_the_loss_is_the_cross_entropy_of_each_word():
    A, a, B, b = (np.random.default_rng(0).normal(size=x) for x in ((7, 3), 3, (3, 7), 7))
    X, total = texts(6, 7), 0
    for row in X.toarray():
        odds = logistic(row @ A + row.sum() * a) @ B + b
        total -= sum(n * np.log(np.exp(odds[w]) / np.exp(odds).sum()) for w, n in enumerate(row))
    assert boltzmann.reconstruction(X, X)([A, a, B, b])[0] == pytest.approx(total / X.sum())


def drawing(number):
    """A generator of this number each time."""
    return SimpleNamespace(random=lambda shape, dtype: np.full(shape, number, dtype))


def test_a_step_of_contrastive_divergence_by_hand():
    """All hidden units are drawn as one, then none."""
    W, c, b = np.array([[0.3], [-0.2]]), np.array([0.1]), np.array([0.2, 0.4])
    v, odds = np.array([2.0, 1.0]), np.exp(W[:, 0] + b)
    h, again = logistic(v @ W[:, 0] + 3 * 0.1), 3 * odds / odds.sum()
    h2 = logistic(again @ W[:, 0] + 3 * 0.1)
    X = sparse.csr_matrix(v)
    error, change = boltzmann.contrastive_divergence(X, True, drawing(0.0), [W, c, b])
    dW, dc, db = change()
    assert error == pytest.approx(np.mean((again - v) ** 2))
    np.testing.assert_allclose(dW[:, 0], again * h2 - v * h)
    np.testing.assert_allclose(dc, 3 * (h2 - h))
    np.testing.assert_allclose(db, again - v)
    _, change = boltzmann.contrastive_divergence(v[None], False, drawing(1.0), [W, c, b])
    _, _, db = change()
    np.testing.assert_allclose(db, logistic(b) - v)


def test_one_language_alone_is_to_give_both(planted):
    training = planted(n=30)
    chosen = columns_of(training, S2net(), merged=False)
    X = sparse.csr_matrix(np.arange(2.0 * chosen.n).reshape(2, -1) + 1)
    examples = boltzmann.blanked(X, training, chosen)
    inputs = examples.inputs
    np.testing.assert_array_equal(examples.targets.toarray(), np.tile(X.toarray(), (3, 1)))
    np.testing.assert_array_equal(inputs[2:4].toarray() + inputs[4:].toarray(), X.toarray())
    assert inputs[2:4].nnz == 2 * chosen.selections["en"].nnz


@pytest.mark.parametrize("judged", [False, True])
def test_stage_1_reads_the_channel(planted, judged):
    """Its judgements say what answers what; without any, texts that are alike do."""
    rows = planted().counts["en"][:9].toarray()
    documents = sparse.csr_matrix(rows[:3])
    queries, relevance = sparse.csr_matrix(rows[5:7]), sparse.csr_matrix([[0, 0, 2], [1, 0, 0]])
    channel = Channel(documents, *([queries, relevance] if judged else []))
    training = planted(channels={"en": channel})
    chosen = trained.columns_of_language(training, "en", Xcnn())
    pairs = trained.monolingual(training, "en", chosen, Xcnn())
    expected = [queries, documents] if judged else [documents]
    X = chosen.rows("en", sparse.vstack(expected).tocsr())
    np.testing.assert_array_equal(pairs.X.toarray(), X.toarray())
    if judged:
        assert list(zip(pairs.queries, pairs.answers, strict=True)) == [(0, 2 + 2), (1, 2 + 0)]
    alone = trained.monolingual(training, "en", chosen, Xcnn(stage1="documents"))
    assert alone.X.shape[0] == training.counts["en"].shape[0]


def test_the_pivot_is_drawn_or_trained_alone_and_kept(planted):
    """A word passes through one layer: the table of a network that was only drawn is tanh of it."""
    made, few = planted(), {"dimension": 8, "held_out": 0}
    drawing = fit(Xcnn(**few, stage1="random", epochs=1, pivot="es"), made)
    assert drawing.report["pivot"] == "es"
    chosen = trained.columns_of_language(made, "es", Xcnn())
    generator = np.random.default_rng([made.seed, *b"es"])
    drawn = 0.1 * generator.standard_normal((chosen.n, 8), np.float32)
    np.testing.assert_allclose(
        drawing.model.tables["es"], chosen.table("es", np.tanh(drawn)), rtol=1e-6
    )
    second = 0.1 * generator.standard_normal((8, 8), np.float32)
    deep = fit(Xcnn(**few, stage1="random", epochs=1, pivot="es", layers=2), made).model
    table = chosen.table("es", np.tanh(np.tanh(drawn) @ second))
    np.testing.assert_allclose(deep.tables["es"], table, rtol=1e-5)
    alone = fit(MonoXcnn(**few, stage1_epochs=2), made).model
    pivot = fit(Xcnn(**few, stage1_epochs=2, epochs=1), made).model
    np.testing.assert_array_equal(alone.tables["en"], pivot.tables["en"])


def test_with_self_matches_no_pair_is_held_out_unless_judged(planted):
    """A text finds itself first, whatever the network: nothing to stop by."""
    published = Xcnn(self_matches=True, stage1_epochs=3, epochs=1, dimension=8)
    made = planted()
    report = fit(published, made).report
    assert (report["stage1"]["held_out"], report["stage1"]["best_epoch"]) == (0, 3)
    assert report["es"]["held_out"] > 0
    n = made.counts["en"].shape[0]
    judged = Channel(made.counts["en"], made.counts["en"], sparse.identity(n, format="csr"))
    report = fit(published, planted(channels={"en": judged})).report
    assert report["stage1"]["held_out"] == n // 10


def test_before_the_first_epoch_s2net_is_opca(planted, monkeypatch):
    training_set = planted(n=200)
    monkeypatch.setattr(training, "train", lambda *_: {})
    found = fit(S2net(dimension=20, held_out=0), training_set).model
    expected = fit(Opca(dimensions=[20], skip_words=0), training_set).model
    for x in training_set.languages:
        assert np.std(found.tables[x][found.learned(x)]) == pytest.approx(0.1, rel=0.01)
        rows = [model.embed(training_set.counts[x], x) for model in (found, expected)]
        np.testing.assert_allclose(rows[0] @ rows[0].T, rows[1] @ rows[1].T, atol=1e-4)


def test_opca_does_not_see_what_s2net_holds_out(planted, monkeypatch):
    """All pairs of a concept, in both directions, are held out together."""
    seen, kept, opca_of = [], [], pencils.opca
    monkeypatch.setattr(training, "train", lambda _, *pairs: seen.append(pairs) or {})
    monkeypatch.setattr(pencils, "opca", lambda rows, _: kept.append(rows) or opca_of(rows))
    made = planted(n=300, languages=("da", "en", "es"))
    fit(S2net(dimension=5), made)
    [(held, trains, *_)], [documents], n = seen, kept, made.n_concepts
    assert len(held.queries) == 6 * (n // 10)
    assert len(trains.queries) == 6 * (n - n // 10)
    unseen = np.setdiff1d(np.arange(n), held.groups)
    np.testing.assert_array_equal(documents.concept, np.tile(np.arange(len(unseen)), 3))
    expected = held.X[np.concatenate([unseen, n + unseen, 2 * n + unseen])]
    np.testing.assert_allclose(documents.Z.toarray(), expected.toarray(), rtol=1e-6)
