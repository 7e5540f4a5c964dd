"""What networks are trained by: losses and ranks by hand, derivatives by differences."""

from math import exp, log1p

import numpy as np
import pytest
from scipy import sparse

from cr5.systems.networks.composition import random_start, word_vectors
from cr5.systems.networks.contrast import contrast
from cr5.systems.networks.pairs import Pairs
from cr5.systems.networks.training import batch_loss, reciprocal_rank
from tests.systems.networks.made_up import Keys, check_slopes, drawn_texts

# Two texts: cosines with their answers are 1 and 0, with negatives 0, .6 and .8, 1.
TEXTS = np.array([[2.0, 0.0], [0.0, 5.0]])
ANSWERS = np.array([[3.0, 0.0], [1.0, 0.0]])
NEGATIVES = np.array([[[0.0, 1.0], [0.6, 0.8]], [[0.6, 0.8], [0.0, 2.0]]])


def softplus(number):
    return log1p(exp(number))


COSINE_LOSSES = {
    "mean": -(1 + 0.4 - 0.8 - 1) / 4,
    "hardest": -(0.4 - 1) / 2,
}
MARGIN_LOSSES = {
    "mean": (0 + 0.1 + 1.3 + 1.5) / 4,
    "hardest": (0.1 + 1.5) / 2,
}
LOGISTIC_LOSSES = {
    "mean": (softplus(-10) + softplus(-4) + softplus(8) + softplus(10)) / 4,
    "hardest": (softplus(-4) + softplus(10)) / 2,
}


@pytest.mark.parametrize(
    ("options", "losses"),
    [
        ({}, COSINE_LOSSES),
        ({"loss": "margin"}, MARGIN_LOSSES),
        ({"loss": "logistic"}, LOGISTIC_LOSSES),
    ],
)
def test_losses_by_hand(options, losses):
    of_all = contrast(TEXTS, ANSWERS, NEGATIVES, **options)
    assert of_all.loss == pytest.approx(losses["mean"])
    of_hardest = contrast(TEXTS, ANSWERS, NEGATIVES, **options, hardest=True)
    assert of_hardest.loss == pytest.approx(losses["hardest"])


def test_a_text_of_zeros_has_cosine_zero_and_no_derivative():
    answers = np.array([[1.0, 1.0]])
    contrasted = contrast(np.zeros((1, 2)), answers, answers[None])
    assert contrasted.loss == 0
    assert not contrasted.by_texts.any()
    assert not contrasted.by_answers.any()


QUERIES_OF_BATCH = np.array([0, 1, 5, 7])
ANSWERS_OF_BATCH = np.array([2, 3, 4, 0])
NEGATIVES_OF_BATCH = [np.array([4, 2, 0, 3]), np.array([9, 8, 8, 2])]


@pytest.mark.parametrize("has_fixed_answers", [False, True])
@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"loss": "margin"}, {"loss": "logistic"}, {"hardest": True, "negatives": 2}]
)
def test_the_loss_of_a_batch_and_its_derivatives(options, linear, has_fixed_answers):
    generator = np.random.default_rng(5)
    fixed_answers = None
    if has_fixed_answers:
        fixed_answers = generator.normal(size=(12, 3))
    pairs = Pairs(drawn_texts(), QUERIES_OF_BATCH, ANSWERS_OF_BATCH, np.arange(4), fixed_answers)
    negatives = NEGATIVES_OF_BATCH[: options.get("negatives", 1)]
    system = Keys(**options)
    words, loss = batch_loss(pairs, negatives, system)
    W = generator.normal(size=(9, 3))
    b = generator.normal(size=3)
    # Eq. 5 and 6, or sums of word vectors
    parameters = [W[words], b]
    vectors = np.tanh(W + b)
    if linear:
        parameters = [W[words]]
        vectors = W
    check_slopes(loss, parameters)
    texts = pairs.X @ vectors
    candidates = texts
    if has_fixed_answers:
        candidates = fixed_answers
    expected = contrast(
        texts[QUERIES_OF_BATCH],
        candidates[ANSWERS_OF_BATCH],
        candidates[np.array(negatives)],
        system.loss,
        system.hardest,
    )
    value, _ = loss(parameters)
    assert value == pytest.approx(expected.loss)


def test_a_word_passes_through_further_layers_alone():
    generator = np.random.default_rng(5)
    queries = np.array([0, 1, 5])
    answers = np.array([2, 3, 4])
    groups = np.arange(3)
    pairs = Pairs(drawn_texts(), queries, answers, groups)
    not_answers = np.array([4, 2, 3])
    words, loss = batch_loss(pairs, [not_answers], Keys())
    shapes = [(9, 3), (3,), (3, 3), (3,), (3, 3), (3,)]
    parameters = [generator.normal(size=shape) for shape in shapes]
    W, b, V, c, U, d = parameters
    first_layer = np.tanh(W + b)
    second_layer = np.tanh(first_layer @ V + c)
    third_layer = np.tanh(second_layer @ U + d)
    np.testing.assert_allclose(word_vectors(parameters), third_layer)
    check_slopes(loss, [W[words], b, V, c, U, d])
    start = random_start(np.random.default_rng(1), 9, 3, layers=3)
    shapes_of_start = [parameter.shape for parameter in start]
    assert shapes_of_start == shapes


# Rows of texts, of which all queries are the same and the answers are some of fixed rows: the
# third is nearer than the second, and that than the first.
SAME_QUERIES = [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]]
EVER_NEARER = [[0.0, 1.0], [1.0, 0.2], [1.0, 0.1]]
TURNED = [[1.0, 0.0], [0.8, 0.6], [0.6, 0.8], [-1.0, 0.0]]
WITH_TIES = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
NOT_FINITE = np.full((4, 2), np.nan)
THREE = [0, 1, 2]
APART = [0, 1, 2]  # each pair is a group of its own


@pytest.mark.parametrize(
    ("rows", "queries", "answers", "groups", "fixed", "ranks"),
    [
        (WITH_TIES, THREE, THREE, APART, np.eye(3), [1, 2, 3]),
        (np.eye(2), [0, 0, 0], [1, 1, 0], APART, np.eye(2), [2, 2, 1]),
        (TURNED, [0, 1, 2, 3], [1, 0, 3, 2], [0, 1, 2, 3], None, [1, 2, 3, 1]),
        (SAME_QUERIES, THREE, THREE, APART, EVER_NEARER, [3, 2, 1]),
        (SAME_QUERIES, THREE, THREE, [0, 0, 1], EVER_NEARER, [2, 2, 1]),
        (NOT_FINITE, [0, 1], [2, 3], [0, 1], None, [2, 2]),
    ],
    ids=["ties", "equal answers", "own query", "alone", "of one group", "not finite"],
)
def test_the_rank_of_answers(rows, queries, answers, groups, fixed, ranks):
    """Ties count against; neither a query nor other answers of its group are candidates."""
    if fixed is not None:
        fixed = np.array(fixed)
    texts = sparse.csr_matrix(rows)
    pairs = Pairs(
        texts,
        queries=np.array(queries),
        answers=np.array(answers),
        groups=np.array(groups),
        fixed=fixed,
    )
    _, n_words = texts.shape
    identity = np.eye(n_words)
    reciprocals = [1 / rank for rank in ranks]
    expected = np.mean(reciprocals)
    assert reciprocal_rank([identity], pairs) == pytest.approx(expected)
    nothing = np.zeros(0, int)
    no_pairs = pairs[nothing]
    assert reciprocal_rank([identity], no_pairs) is None
