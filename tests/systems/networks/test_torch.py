"""Derivatives and a whole training as PyTorch computes them."""

import numpy as np
import pytest

from cr5.systems.networks.optimisers import optimiser
from cr5.systems.networks.training import OPTIONS, Pairs, batch_loss
from tests.systems.networks.test_composition import parameters_of
from tests.systems.networks.test_training import texts

torch = pytest.importorskip("torch", reason="PyTorch has an environment of its own")
DEFAULTS = {name: said[0] for name, said in OPTIONS.items()}
QUERIES, ANSWERS, NEGATIVES = [0, 1, 5, 7], [2, 3, 4, 0], [[4, 2, 0, 3], [9, 8, 8, 2]]


def loss_in_torch(X, parameters, options):
    table = parameters[0]
    if len(parameters) > 1:
        table = torch.tanh(table + parameters[1])
    for A, c in zip(parameters[2::2], parameters[3::2], strict=True):
        table = torch.tanh(table @ A + c)
    Y = torch.tensor(X.toarray()) @ table
    near = torch.cosine_similarity(Y[QUERIES], Y[ANSWERS])
    far = torch.stack([torch.cosine_similarity(Y[QUERIES], Y[rows]) for rows in NEGATIVES])
    D = near - (far.max(0).values if options["hardest"] else far)
    if options["loss"] == "margin":
        return torch.relu(options["margin"] - D).mean()
    if options["loss"] == "logistic":
        return torch.nn.functional.softplus(-options["scale"] * D).mean()
    return -D.mean()


@pytest.mark.parametrize("hardest", [False, True])
@pytest.mark.parametrize("loss", ["difference", "margin", "logistic"])
@pytest.mark.parametrize("layers", [0, 1, 2])
def test_derivatives_are_those_of_autograd(layers, loss, hardest):
    options = DEFAULTS | {"loss": loss, "hardest": hardest}
    X, parameters = texts(), parameters_of(layers, n_words=9)
    pairs = Pairs(X, np.array(QUERIES), np.array(ANSWERS))
    words, ours = batch_loss(pairs, [np.array(rows) for rows in NEGATIVES], options)
    assert len(words) == 9
    value, slopes = ours(parameters)
    theirs = [torch.tensor(p, requires_grad=True) for p in parameters]
    expected = loss_in_torch(X, theirs, options)
    expected.backward()
    assert value == pytest.approx(expected.item(), abs=1e-12)
    for found, tensor in zip(slopes(), theirs, strict=True):
        np.testing.assert_allclose(found, tensor.grad, atol=1e-10)


def test_a_whole_training_by_adam_ends_where_theirs_does():
    options = DEFAULTS | {"optimiser": "adam", "rate": 0.05}
    X, parameters = texts(), parameters_of(2, n_words=9)
    theirs = [torch.tensor(p, requires_grad=True) for p in parameters]
    pairs = Pairs(X, np.array(QUERIES), np.array(ANSWERS))
    words, loss = batch_loss(pairs, [np.array(rows) for rows in NEGATIVES], options)
    how, adam = optimiser(options, parameters), torch.optim.Adam(theirs, lr=0.05)
    for _ in range(50):
        how.step(loss, parameters, words)
        adam.zero_grad()
        loss_in_torch(X, theirs, options).backward()
        adam.step()
    for found, tensor in zip(parameters, theirs, strict=True):
        np.testing.assert_allclose(found, tensor.detach(), atol=1e-8)
