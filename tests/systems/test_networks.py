"""Networks: losses, ranks and steps written out or by differences; what each stage learns from."""

from itertools import chain, pairwise
from math import exp, log1p
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.preprocessing import normalize

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

# Two texts: cosines with their answers are 1 and 0, with negatives 0, .6 and .8, 1.
Y = np.array([[2.0, 0.0], [0.0, 5.0]])
P = np.array([[3.0, 0.0], [1.0, 0.0]])
N = np.array([[[0.0, 1.0], [0.6, 0.8]], [[0.6, 0.8], [0.0, 2.0]]])


def softplus(x):
    return log1p(exp(x))


class Keys(Contrasted):
    """The keys of networks that are trained by contrast, without a network."""

    def fit(self, training):
        raise NotImplementedError


def texts(n=12, words=9):
    return sparse.csr_matrix(np.random.default_rng(3).poisson(0.6, (n, words)).astype(float))


def check_slopes(loss, parameters):
    """Raise unless its derivatives by the parameters are those of differences."""
    _, derivatives = loss(parameters)

    def value():
        return loss(parameters)[0]

    for parameter, slopes in zip(parameters, derivatives(), strict=True):
        np.testing.assert_allclose(slopes, differences(value, parameter), atol=1e-8)


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
    answers = np.array([[1.0, 1.0]])
    contrasted = contrast(np.zeros((1, 2)), answers, answers[None])
    assert contrasted.loss == 0
    assert not contrasted.by_texts.any()
    assert not contrasted.by_answers.any()


@pytest.mark.parametrize("fixed", [False, True])
@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"loss": "margin"}, {"loss": "logistic"}, {"hardest": True, "negatives": 2}]
)
def test_the_loss_of_a_batch_and_its_derivatives(options, linear, fixed):
    generator = np.random.default_rng(5)
    fixed_answers = generator.normal(size=(12, 3)) if fixed else None
    queries = np.array([0, 1, 5, 7])
    answers = np.array([2, 3, 4, 0])
    pairs = Pairs(texts(), queries, answers, np.arange(4), fixed_answers)
    negatives = [np.array([4, 2, 0, 3]), np.array([9, 8, 8, 2])][: options.get("negatives", 1)]
    system = Keys(**options)
    words, loss = batch_loss(pairs, negatives, system)
    W = generator.normal(size=(9, 3))
    b = generator.normal(size=3)
    parameters = [W[words]] if linear else [W[words], b]
    check_slopes(loss, parameters)
    table = pairs.X @ (W if linear else np.tanh(W + b))  # Eq. 5, 6
    candidates = fixed_answers if fixed else table
    expected = contrast(
        table[queries],
        candidates[answers],
        candidates[np.array(negatives)],
        system.loss,
        system.hardest,
    )
    value, _ = loss(parameters)
    assert value == pytest.approx(expected.loss)


def test_a_word_passes_through_further_layers_alone():
    generator = np.random.default_rng(5)
    pairs = Pairs(texts(), np.array([0, 1, 5]), np.array([2, 3, 4]), np.arange(3))
    words, loss = batch_loss(pairs, [np.array([4, 2, 3])], Keys())
    shapes = [(9, 3), (3,), (3, 3), (3,), (3, 3), (3,)]
    parameters = [generator.normal(size=shape) for shape in shapes]
    W, b, V, c, U, d = parameters
    table = np.tanh(np.tanh(np.tanh(W + b) @ V + c) @ U + d)
    np.testing.assert_allclose(word_vectors(parameters), table)
    check_slopes(loss, [W[words], b, V, c, U, d])
    drawn = random_start(np.random.default_rng(1), 9, 3, layers=3)
    assert [parameter.shape for parameter in drawn] == shapes


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
    batches = []

    def noted(pairs, negatives, system):
        batches.append(list(zip(pairs.groups, pairs.answers, negatives[0], strict=True)))
        return np.zeros(0, int), None

    def step(*_):
        return 0.0

    monkeypatch.setattr(training, "batch_loss", noted)
    monkeypatch.setattr(training, "BATCH", 7)
    groups = np.array([0, 1, *[2] * 18])
    pairs = Pairs(sparse.csr_matrix(np.eye(20)), np.arange(20), np.arange(20), groups)
    training.run_epoch([np.eye(20)], pairs, step, Keys(), np.random.default_rng(0))
    assert [len(batch) for batch in batches] == [7, 7, 6]
    taken = list(chain(*batches))
    assert sorted(answer for _, answer, _ in taken) == list(range(20))
    other_than_answer = [entry for entry in taken if entry[2] != entry[1]]
    assert other_than_answer
    assert all(groups[negative] != group for group, _, negative in other_than_answer)


@pytest.mark.parametrize(
    ("n", "share", "expected"),
    [(9, 0.02, 0), (600, 0.02, 60), (4000, 0.02, 100), (20_000, 0.02, 400), (600, 0.0, 0)],
)
def test_groups_are_held_out_whole(n, share, expected):
    rows = np.arange(2 * n)
    groups = rows // 2
    pairs = Pairs(sparse.csr_matrix((2 * n, 1)), rows, rows[::-1], groups)
    held_out, training_pairs = hold_out(pairs, share, np.random.default_rng(0))
    assert len(held_out.queries) == 2 * expected
    assert len(training_pairs.queries) == 2 * (n - expected)
    assert set(groups[held_out.queries]).isdisjoint(groups[training_pairs.queries])


def test_the_best_epoch_is_kept_and_training_ends(monkeypatch):
    """After each step the network is worse."""
    steps = []

    def worse(loss, parameters, rows):
        parameters[0] += 1
        steps.append(rows)
        return 0.0

    monkeypatch.setattr(training, "conjugate_gradients", worse)
    numbers = np.arange(20)
    pairs = Pairs(sparse.csr_matrix(np.eye(20)), numbers, numbers, numbers, np.eye(20))
    parameters = [2.0 * np.eye(20)]
    generator = np.random.default_rng(0)
    parts = hold_out(pairs, 0.1, generator)
    report = training.train(parameters, *parts, 10, Keys(), generator)
    assert (report["best_epoch"], report["mrr"], len(steps)) == (0, 1, 5)
    np.testing.assert_array_equal(parameters[0], 2 * np.eye(20))
    parts = hold_out(pairs, 0, generator)
    report = training.train(parameters, *parts, 10, Keys(), generator)
    assert (report["held_out"], report["best_epoch"], len(steps)) == (0, 10, 15)


def test_conjugate_gradients_find_the_minimum_of_a_quadratic():
    """In as many iterations as dimensions; rows of no batch stay; what words share is one."""
    generator = np.random.default_rng(0)
    turn, _ = np.linalg.qr(generator.normal(size=(3, 3)))
    centre = generator.normal(size=3)
    M = turn @ np.diag([3.0, 5.0, 9.0]) @ turn.T
    calls = []

    def loss(parameters):
        away = parameters[0].ravel() - centre
        calls.append(away)
        return float(away @ M @ away / 2), lambda: [(M @ away).reshape(-1, 1)]

    W = np.zeros((5, 1))
    rows = np.array([1, 2, 4])
    assert conjugate_gradients(loss, [W], rows) == pytest.approx(centre @ M @ centre / 2)
    np.testing.assert_allclose(W[rows, 0], centre, atol=1e-9)
    assert not W[[0, 3]].any()
    assert len(calls) <= 1 + 3 * 3


def test_conjugate_gradients_move_what_words_share_as_one_parameter():
    W = np.zeros((8, 1))
    b = np.zeros(1)

    def loss(parameters):
        total = parameters[0].sum() + 8 * parameters[1][0]
        return float(total), lambda: [np.ones((8, 1)), np.full(1, 8.0)]

    conjugate_gradients(loss, [W, b], np.arange(8))
    assert b[0] < -0.1
    np.testing.assert_allclose(W, np.tile(b, (8, 1)))


def adam(gradients, rate):
    """One number, moved as in the paper's algorithm 1."""
    value = 0.0
    m = 0.0
    v = 0.0
    for t, gradient in enumerate(gradients, start=1):
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        value -= rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
    return value


def test_adam_is_the_papers_for_the_rows_of_a_batch():
    gradients = np.random.default_rng(0).normal(size=(5, 3))  # two rows of W, and b
    W = np.zeros((4, 1))
    b = np.zeros(1)
    optimiser = Adam([W, b], 0.1)
    for gradient in gradients:
        slopes = [gradient[:2, None], gradient[2:]]

        def loss(parameters, slopes=slopes):
            return 0.0, lambda: slopes

        optimiser.step(loss, [W, b], np.array([1, 3]))
    expected = [adam(column, 0.1) for column in gradients.T]
    np.testing.assert_allclose([W[1, 0], W[3, 0], b[0]], expected, rtol=1e-12)
    assert not W[[0, 2]].any()


@pytest.mark.parametrize("block", [7, 1024])
def test_answers_are_the_nearest_texts_with_other_counts(monkeypatch, block):
    """All cosines written out; of equal texts the first stands for all."""
    monkeypatch.setattr(trained, "BLOCK", block)
    counts = np.random.default_rng(0).poisson(0.15, (60, 25))
    counts[7] = counts[30] = counts[2]  # doubles, which may not answer each other
    counts[[11, 12]] = 0
    counts[:, 24] = 0
    counts[12, 24] = 1  # a word of its own
    known = np.flatnonzero(counts.any(axis=1))
    df = (counts[known] > 0).sum(axis=0)
    rows = normalize(counts * (np.log(len(known) / np.maximum(df, 1)) + 1))
    pairs = []
    for text in known:
        equal = (counts == counts[text]).all(axis=1)
        cosines = np.where(equal, 0, rows @ rows[text])
        nearest = np.flatnonzero(cosines > cosines.max() - 1e-6)[0]
        if cosines[nearest] > 0:
            pairs.append((np.flatnonzero(equal)[0], nearest))
    matrix = sparse.csr_matrix(counts)
    np.testing.assert_array_equal(trained.most_relevant(matrix, False), np.transpose(pairs))
    matches = trained.most_relevant(matrix, self_matches=True)
    np.testing.assert_array_equal(matches, [known, known])


@pytest.mark.parametrize("widths", [(7, 3), (7, 5, 4, 3)])
def test_derivatives_of_the_autoencoder_are_those_of_differences(widths):
    generator = np.random.default_rng(0)
    machines = []
    for visible, hidden in pairwise(widths):
        shapes = ((visible, hidden), hidden, visible)
        machines.append([generator.normal(size=shape) for shape in shapes])
    loss = boltzmann.reconstruction(texts(6, 7), texts(6, 7)[::-1])
    check_slopes(loss, boltzmann.unrolled(machines))


def test_the_loss_is_the_cross_entropy_of_each_word():
    generator = np.random.default_rng(0)
    A, a, B, b = (generator.normal(size=shape) for shape in ((7, 3), 3, (3, 7), 7))
    X = texts(6, 7)
    total = 0
    for counts in X.toarray():
        hidden = expit(counts @ A + counts.sum() * a)
        total -= counts @ np.log(softmax(hidden @ B + b))
    loss, _ = boltzmann.reconstruction(X, X)([A, a, B, b])
    assert loss == pytest.approx(total / X.sum())


def drawing(number):
    """A generator of this number each time."""
    return SimpleNamespace(random=lambda shape, dtype: np.full(shape, number, dtype))


def test_a_step_of_contrastive_divergence_by_hand():
    """All hidden units are drawn as one, then none."""
    W = np.array([[0.3], [-0.2]])
    c = np.array([0.1])
    b = np.array([0.2, 0.4])
    v = np.array([2.0, 1.0])
    reconstructed = 3 * softmax(W[:, 0] + b)
    h = expit(v @ W[:, 0] + 3 * 0.1)
    h_reconstructed = expit(reconstructed @ W[:, 0] + 3 * 0.1)
    X = sparse.csr_matrix(v)
    error, change = boltzmann.contrastive_divergence(X, True, drawing(0.0), [W, c, b])
    dW, dc, db = change()
    assert error == pytest.approx(np.mean((reconstructed - v) ** 2))
    np.testing.assert_allclose(dW[:, 0], reconstructed * h_reconstructed - v * h)
    np.testing.assert_allclose(dc, 3 * (h_reconstructed - h))
    np.testing.assert_allclose(db, reconstructed - v)
    _, change = boltzmann.contrastive_divergence(v[None], False, drawing(1.0), [W, c, b])
    _, _, db = change()
    np.testing.assert_allclose(db, expit(b) - v)


def test_one_language_alone_is_to_give_both(planted):
    training_set = planted(n=30)
    chosen = columns_of(training_set, S2net(), merged=False)
    X = sparse.csr_matrix(np.arange(2.0 * chosen.n).reshape(2, -1) + 1)
    examples = boltzmann.blanked(X, training_set, chosen)
    np.testing.assert_array_equal(examples.targets.toarray(), np.tile(X.toarray(), (3, 1)))
    first = examples.inputs[2:4]
    second = examples.inputs[4:]
    np.testing.assert_array_equal((first + second).toarray(), X.toarray())
    assert first.nnz == 2 * chosen.selections["en"].nnz


@pytest.mark.parametrize("judged", [False, True])
def test_stage_1_reads_the_channel(planted, judged):
    """Its judgements say what answers what; without any, texts that are alike do."""
    rows = planted().counts["en"][:9].toarray()
    documents = sparse.csr_matrix(rows[:3])
    queries = sparse.csr_matrix(rows[5:7])
    relevance = sparse.csr_matrix([[0, 0, 2], [1, 0, 0]])
    channel = Channel(documents, queries, relevance) if judged else Channel(documents)
    training_set = planted(channels={"en": channel})
    chosen = trained.columns_of_language(training_set, "en", Xcnn())
    pairs = trained.monolingual(training_set, "en", chosen, Xcnn())
    counts = sparse.vstack([queries, documents]).tocsr() if judged else documents
    np.testing.assert_array_equal(pairs.X.toarray(), chosen.rows("en", counts).toarray())
    if judged:
        assert list(zip(pairs.queries, pairs.answers, strict=True)) == [(0, 2 + 2), (1, 2 + 0)]
    documents_alone = trained.monolingual(training_set, "en", chosen, Xcnn(stage1="documents"))
    assert documents_alone.X.shape[0] == training_set.counts["en"].shape[0]


def test_a_pivot_that_is_only_drawn(planted):
    """A word passes through its layers: the table is tanh of what was drawn, layer by layer."""
    training_set = planted()
    options = {"dimension": 8, "held_out": 0, "stage1": "random", "epochs": 1, "pivot": "es"}
    chosen = trained.columns_of_language(training_set, "es", Xcnn())
    generator = np.random.default_rng([training_set.seed, *b"es"])
    W = 0.1 * generator.standard_normal((chosen.n, 8), np.float32)
    V = 0.1 * generator.standard_normal((8, 8), np.float32)
    one_layer = fit(Xcnn(**options), training_set)
    assert one_layer.report["pivot"] == "es"
    table = chosen.table("es", np.tanh(W))
    np.testing.assert_allclose(one_layer.model.tables["es"], table, rtol=1e-6)
    two_layers = fit(Xcnn(**options, layers=2), training_set)
    table = chosen.table("es", np.tanh(np.tanh(W) @ V))
    np.testing.assert_allclose(two_layers.model.tables["es"], table, rtol=1e-5)


def test_a_pivot_is_trained_alone_and_stays(planted):
    training_set = planted()
    options = {"dimension": 8, "held_out": 0, "stage1_epochs": 2}
    alone = fit(MonoXcnn(**options), training_set).model
    pivot = fit(Xcnn(**options, epochs=1), training_set).model
    np.testing.assert_array_equal(alone.tables["en"], pivot.tables["en"])


def test_with_self_matches_no_pair_is_held_out_unless_judged(planted):
    """A text finds itself first, whatever the network: nothing to stop by."""
    published = Xcnn(self_matches=True, stage1_epochs=3, epochs=1, dimension=8)
    training_set = planted()
    report = fit(published, training_set).report
    assert (report["stage1"]["held_out"], report["stage1"]["best_epoch"]) == (0, 3)
    assert report["es"]["held_out"] > 0
    counts = training_set.counts["en"]
    n_documents = counts.shape[0]
    judged = Channel(counts, counts, sparse.identity(n_documents, format="csr"))
    report = fit(published, planted(channels={"en": judged})).report
    assert report["stage1"]["held_out"] == n_documents // 10


def test_before_the_first_epoch_s2net_is_opca(planted, monkeypatch):
    training_set = planted(n=200)
    monkeypatch.setattr(training, "train", lambda *_: {})
    s2net = fit(S2net(dimension=20, held_out=0), training_set).model
    opca = fit(Opca(dimensions=[20], skip_words=0), training_set).model
    for language, counts in training_set.counts.items():
        learned = s2net.tables[language][s2net.learned(language)]
        assert np.std(learned) == pytest.approx(0.1, rel=0.01)
        rows = s2net.embed(counts, language)
        expected = opca.embed(counts, language)
        np.testing.assert_allclose(rows @ rows.T, expected @ expected.T, atol=1e-4)


def test_opca_does_not_see_what_s2net_holds_out(planted, monkeypatch):
    """All pairs of a concept, in both directions, are held out together."""
    parts = []
    seen_by_opca = []
    opca = pencils.opca

    def train(parameters, held_out, training_pairs, *_):
        parts.extend([held_out, training_pairs])
        return {}

    def watched(documents, gamma):
        seen_by_opca.append(documents)
        return opca(documents, gamma)

    monkeypatch.setattr(training, "train", train)
    monkeypatch.setattr(pencils, "opca", watched)
    training_set = planted(n=300, languages=("da", "en", "es"))
    fit(S2net(dimension=5), training_set)
    held_out, training_pairs = parts
    [documents] = seen_by_opca
    n = training_set.n_concepts
    assert len(held_out.queries) == 6 * (n // 10)
    assert len(training_pairs.queries) == 6 * (n - n // 10)
    trained_concepts = np.setdiff1d(np.arange(n), held_out.groups)
    np.testing.assert_array_equal(documents.concept, np.tile(np.arange(len(trained_concepts)), 3))
    rows = [n * language + trained_concepts for language in range(3)]
    expected = held_out.X[np.concatenate(rows)]
    np.testing.assert_allclose(documents.Z.toarray(), expected.toarray(), rtol=1e-6)
