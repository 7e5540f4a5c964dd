"""The training of a network on pairs of texts and answers: epochs, batches, and when to stop."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.systems.networks.composition import Arrays, backpropagated, word_vectors
from cr5.systems.networks.contrast import contrast
from cr5.systems.networks.optimisers import Adam, Loss, conjugate_gradients
from cr5.systems.networks.pairs import Pairs

if TYPE_CHECKING:
    from cr5.systems.networks.family import Contrasted

log = logging.getLogger(__name__)

BATCH = 100  # pairs of each step
PATIENCE = 5  # consecutive epochs without a better one, then training ends


def train(
    parameters: Arrays,
    held_out: Pairs,
    training_pairs: Pairs,
    epochs: int,
    system: Contrasted,
    generator: np.random.Generator,
) -> dict[str, Any]:
    """Train in place; the parameters of the epoch that is best on held-out pairs are kept.

    The start, which must not have seen them, counts as an epoch. Without held-out pairs the last
    epoch is kept. Reports numbers of pairs, the epoch kept and the mean reciprocal rank after it.
    """
    n_held_out = len(held_out.queries)
    step = conjugate_gradients if system.optimiser == "cg" else Adam(parameters).step
    best_parameters = _copied(parameters)
    best_epoch = 0
    best_rank = reciprocal_rank(parameters, held_out)
    for epoch in range(1, epochs + 1):
        loss = run_epoch(parameters, training_pairs, step, system, generator)
        rank = reciprocal_rank(parameters, held_out)
        log.info("epoch %d of %d: loss %.4f, MRR %s", epoch, epochs, loss, rank)
        if not n_held_out or rank > best_rank:
            best_parameters = _copied(parameters)
            best_epoch = epoch
            best_rank = rank
        if epoch - best_epoch >= PATIENCE:
            break
    for parameter, best in zip(parameters, best_parameters, strict=True):
        parameter[:] = best
    return {
        "pairs": len(training_pairs.queries),
        "held_out": n_held_out,
        "best_epoch": best_epoch,
        "mrr": best_rank,
    }


def _copied(parameters: Arrays) -> Arrays:
    return [parameter.copy() for parameter in parameters]


def run_epoch(
    parameters: Arrays,
    pairs: Pairs,
    step: Callable[[Loss, Arrays, np.ndarray], float],
    system: Contrasted,
    generator: np.random.Generator,
) -> float:
    """Take all pairs once in a new order; return the mean loss of the batches, before each step."""
    n_pairs = len(pairs.queries)
    order = generator.permutation(n_pairs)
    negatives = [_drawn_negatives(pairs, generator) for _ in range(system.negatives)]
    losses = []
    for start in range(0, n_pairs, BATCH):
        batch = order[start : start + BATCH]
        batch_negatives = [answers[batch] for answers in negatives]
        words, loss = batch_loss(pairs[batch], batch_negatives, system)
        losses.append(step(loss, parameters, words))
    return float(np.mean(losses))


def _drawn_negatives(pairs: Pairs, generator: np.random.Generator) -> np.ndarray:
    """Return a negative for each pair: the answers in another order, as in the authors' code.

    By chance a text may get its own answer, which teaches nothing. It also does where it would get
    another one of its group.
    """
    shuffled = generator.permutation(len(pairs.queries))
    same_group = pairs.groups[shuffled] == pairs.groups
    return np.where(same_group, pairs.answers, pairs.answers[shuffled])


def batch_loss(
    pairs: Pairs, negatives: list[np.ndarray], system: Contrasted
) -> tuple[np.ndarray, Loss]:
    """Return the words of a batch of n pairs, and its loss as a function of their parameters.

    Negatives are k times (n,): rows of X, or of `fixed`.
    """
    n_pairs = len(pairs.queries)
    answer_rows = np.stack([pairs.answers, *negatives])  # (1 + k) x n
    text_rows = pairs.queries
    if pairs.fixed is None:
        text_rows = np.concatenate([pairs.queries, answer_rows.ravel()])
    words, X = _words_and_rows(pairs.X[text_rows])
    X_transposed = X.T.tocsr()

    def loss(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
        table = word_vectors(parameters)
        Y = X @ table
        if pairs.fixed is None:
            answers = Y[n_pairs:].reshape(len(answer_rows), n_pairs, -1)
        else:
            answers = pairs.fixed[answer_rows]
        compared = contrast(Y[:n_pairs], answers[0], answers[1:], system.loss, system.hardest)

        def slopes() -> Arrays:
            by_Y = compared.by_texts
            if pairs.fixed is None:
                by_Y = np.vstack([by_Y, compared.by_answers, *compared.by_negatives])
            return backpropagated(parameters, table, X_transposed @ by_Y)

        return compared.loss, slopes

    return words, loss


def _words_and_rows(X: sparse.csr_matrix) -> tuple[np.ndarray, sparse.csr_matrix]:
    """Return the columns that have entries, and the rows in these columns alone."""
    words, columns = np.unique(X.indices, return_inverse=True)
    entries = (X.data, columns.astype(np.int32), X.indptr)
    return words, sparse.csr_matrix(entries, (X.shape[0], len(words)))


def reciprocal_rank(parameters: Arrays, pairs: Pairs) -> float | None:
    """Return the mean reciprocal rank of answers among those of all pairs; None without pairs.

    Ties count against. A text that is itself an answer is no candidate for its own query: nothing
    is nearer to it. Neither are other answers of the query's group.
    """
    n_pairs = len(pairs.queries)
    if not n_pairs:
        return None
    table = word_vectors(parameters)
    # Every answer is one candidate, however many pairs have it; `answers` are places among these.
    candidates, first_pairs, answers = np.unique(
        pairs.answers, return_index=True, return_inverse=True
    )
    candidate_groups = pairs.groups[first_pairs]
    if pairs.fixed is None:
        candidate_vectors = pairs.X[candidates] @ table
    else:
        candidate_vectors = pairs.fixed[candidates]
    cosines = unit_rows(pairs.X[pairs.queries] @ table) @ unit_rows(candidate_vectors).T
    numbers = np.arange(n_pairs)
    answer_cosines = cosines[numbers, answers]
    is_ahead = ~(cosines < answer_cosines[:, None])  # nan counts against, as ties do
    if pairs.fixed is None:
        is_ahead &= candidates != pairs.queries[:, None]
    is_ahead &= candidate_groups != pairs.groups[:, None]
    is_ahead[numbers, answers] = True
    return float((1 / is_ahead.sum(axis=1)).mean())
