"""Training a network by contrast: batches, epochs, and when to stop."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from cr5.base.rows import unit_rows
from cr5.systems.networks.network import Arrays, back, contrast, word_vectors
from cr5.systems.networks.optimisers import Adam, Loss, conjugate_gradients

if TYPE_CHECKING:
    from cr5.systems.networks.models import Contrasted

log = logging.getLogger(__name__)

BATCH = 100  # pairs of each step
PATIENCE = 5  # consecutive epochs without a better one, then training ends
MOST_HELD_OUT = 2000  # all are compared with all


@dataclass(frozen=True)
class Pairs:
    """Texts and their answers.

    Attributes:
        X: texts x words csr, what a word counts in each text.
        queries: (n,) rows of X.
        answers: (n,) rows of X, or of `fixed`.
        groups: (n,) numbers; pairs of one number, such as those of one concept, are held out
            together, and none has an answer of another one as a negative.
        fixed: answers x r, of another network that does not change; None if answers are composed
            by the same network.
    """

    X: sparse.csr_matrix
    queries: np.ndarray
    answers: np.ndarray
    groups: np.ndarray
    fixed: np.ndarray | None = None

    def __getitem__(self, chosen: np.ndarray) -> Pairs:
        """Some of the pairs."""
        of = self.queries[chosen], self.answers[chosen], self.groups[chosen]
        return Pairs(self.X, *of, self.fixed)


def hold_out(pairs: Pairs, share: float, generator: np.random.Generator) -> tuple[Pairs, Pairs]:
    """Some pairs by which training is judged, and those that train.

    A share of the groups is held out, but enough to tell, at most a tenth, and at most 2,000 pairs.
    """
    groups = generator.permutation(np.unique(pairs.groups))
    size = min(max(round(share * len(groups)), 100), len(groups) // 10, MOST_HELD_OUT)
    is_held = np.isin(pairs.groups, groups[: size if share else 0])
    held = generator.permutation(np.flatnonzero(is_held))[:MOST_HELD_OUT]
    return pairs[held], pairs[np.flatnonzero(~is_held)]


def train(
    parameters: Arrays,
    held: Pairs,
    kept: Pairs,
    epochs: int,
    system: Contrasted,
    generator: np.random.Generator,
) -> dict[str, Any]:
    """Train in place; the parameters of the epoch that is best on held-out pairs are kept.

    The start counts as an epoch. Without held-out pairs the last epoch is kept.

    Args:
        parameters: of the network, see `network`.
        held: pairs held out; the start must not have seen them.
        kept: pairs that train.
        epochs: at most.
        system: says which loss and which optimiser.
        generator: draws the order and the negatives.

    Returns:
        The report: numbers of pairs that train and of those held out, the epoch kept, and of each
        epoch its loss and the held-out pairs' mean reciprocal rank.
    """
    n = len(held.queries)
    step = conjugate_gradients if system.optimiser == "cg" else Adam(parameters).step
    best, best_epoch = [p.copy() for p in parameters], 0
    history = [{"loss": None, "mrr": reciprocal_rank(parameters, held)}]
    for epoch in range(1, epochs + 1):
        loss = run_epoch(parameters, kept, step, system, generator)
        history.append({"loss": loss, "mrr": reciprocal_rank(parameters, held)})
        log.info("epoch %d of %d: loss %.4f, MRR %s", epoch, epochs, loss, history[-1]["mrr"])
        if not n or history[-1]["mrr"] > history[best_epoch]["mrr"]:
            best, best_epoch = [p.copy() for p in parameters], epoch
        if epoch - best_epoch >= PATIENCE:
            break
    for p, kept_one in zip(parameters, best, strict=True):
        p[:] = kept_one
    return {"pairs": len(kept.queries), "held_out": n, "best_epoch": best_epoch, "epochs": history}


def run_epoch(
    parameters: Arrays,
    pairs: Pairs,
    step: Callable[[Loss, Arrays, np.ndarray], float],
    system: Contrasted,
    generator: np.random.Generator,
) -> float:
    """Take all pairs once in a new order; return the mean loss of the batches, before each step.

    Negatives are the answers in another order, as in the authors' code: by chance a text may get
    its own, which teaches nothing. It also does where it would get another one of its group.
    """
    order = generator.permutation(len(pairs.queries))
    others, losses = [], []
    for _ in range(system.negatives):
        shuffled = generator.permutation(len(order))
        same = pairs.groups[shuffled] == pairs.groups
        others.append(np.where(same, pairs.answers, pairs.answers[shuffled]))
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        words, loss = batch_loss(pairs[chosen], [rows[chosen] for rows in others], system)
        losses.append(step(loss, parameters, words))
    return float(np.mean(losses))


def batch_loss(
    pairs: Pairs, negatives: list[np.ndarray], system: Contrasted
) -> tuple[np.ndarray, Loss]:
    """The words of a batch, and its loss as a function of their parameters.

    Args:
        pairs: of the batch.
        negatives: k times (n,): rows of X, or of `fixed`.
        system: says which loss.
    """
    n, k = len(pairs.queries), len(negatives)
    texts = [pairs.queries] if pairs.fixed is not None else [pairs.queries, pairs.answers]
    if pairs.fixed is None:
        texts += negatives
    X = pairs.X[np.concatenate(texts)]
    words, places = np.unique(X.indices, return_inverse=True)
    there = X.shape[0], len(words)
    X = sparse.csr_matrix((X.data, places.astype(np.int32), X.indptr), there)  # of these words
    Xt = X.T.tocsr()

    def loss(parameters: Arrays) -> tuple[float, Callable[[], Arrays]]:
        table = word_vectors(parameters)
        Y = X @ table
        if pairs.fixed is None:
            answers = Y[n : 2 * n], Y[2 * n :].reshape(k, n, -1)
        else:
            answers = pairs.fixed[pairs.answers], pairs.fixed[np.stack(negatives)]
        value, dY, dP, dN = contrast(Y[:n], *answers, system.loss, system.hardest)

        def slopes() -> Arrays:
            every = dY if pairs.fixed is not None else np.vstack([dY, dP, dN.reshape(k * n, -1)])
            return back(parameters, table, Xt @ every)

        return value, slopes

    return words, loss


def reciprocal_rank(parameters: Arrays, pairs: Pairs) -> float | None:
    """The mean reciprocal rank of answers among those of all pairs, ties against; None if none.

    A text that is itself an answer is no candidate for its own query: nothing is nearer to it.
    Neither are other answers of the query's group.
    """
    if not len(pairs.queries):
        return None
    table = word_vectors(parameters)
    rows, first, place = np.unique(pairs.answers, return_index=True, return_inverse=True)
    answers = pairs.X[rows] @ table if pairs.fixed is None else pairs.fixed[rows]
    cosines = unit_rows(pairs.X[pairs.queries] @ table) @ unit_rows(answers).T
    each = np.arange(len(place))
    ahead = ~(cosines < cosines[each, place][:, None])  # nan counts against, as ties do
    if pairs.fixed is None:
        ahead &= rows != pairs.queries[:, None]
    ahead &= pairs.groups[first] != pairs.groups[:, None]
    ahead[each, place] = True
    return float((1 / ahead.sum(axis=1)).mean())
