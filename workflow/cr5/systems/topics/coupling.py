"""Posterior regularisation: the topics of a pair are brought together (Platt et al. 2010, 2.5).

For a pair of n1 and n2 words with posteriors p, the E-step of CPLSA looks for the q that minimises
KL(q||p) + sigma ||eps||, where A_t = sum_j q1_j(t) / n1 - sum_j q2_j(t) / n2 is at most eps_t in
size. Its dual is to maximise, over eta of dual norm at most sigma,

    g(eta) = -sum_j log sum_t p1_j(t) exp(-eta_t / n1) - sum_j log sum_t p2_j(t) exp(eta_t / n2),

with gradient A and q1 ~ p1 exp(-eta / n1), q2 ~ p2 exp(eta / n2). As p ~ theta phi, all this is a
pass over the pair with theta1 exp(-eta / n1) and theta2 exp(eta / n2) in the place of theta, and
-g is what its sum of logarithms gains.

From g's Hessian follows that a step of 2 n1 n2 / (n1 + n2) A ascends. With shares a1 and a2 of a
topic, so that A = a1 - a2, Jensen's inequality gives a bound that parts into topics:

    g(eta + d) - g(eta) >= n1 (1 - sum_t a1_t exp(-d_t / n1)) + n2 (1 - sum_t a2_t exp(d_t / n2)),

largest where d = n1 n2 / (n1 + n2) log(a1 / a2). That step also ascends, within a box, too, and is
the longer the smaller the shares are: with many topics it needs far fewer steps. Over a ball it
does not part into topics; there we take the first one. Both are accelerated (Nesterov), and start
again without momentum where that points downwards.
"""

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np

from cr5.systems.topics.compiled import compiled, document, shifted

BOX, BALL = 0, 1
KINDS = {"l1": BOX, "l2": BALL}
# Shares below it are as good as none: their logarithms say nothing in float32.
LEAST = 1e-12
# eta / n stays below, so that float32 can hold exp of it. Such an eta makes one topic of a word
# exp(40) times as likely: whatever moves shares at all has done so before.
WIDEST = 40.0


@dataclass(frozen=True)
class CouplingSettings:
    """How documents of a pair are coupled.

    Attributes:
        sigma: cost of a difference between shares; None for infinity: shares are equal, eps = 0.
        norm: of eps, `l1` or `l2`; the paper does not name it.
        tolerance: l1 norm of what is left of the gradient, where a pair is done. Shares sum up to
            1, so a gap is at most 2.
        steps: at most, per pair and iteration.
    """

    sigma: float | None = 1.0
    norm: str = "l1"
    tolerance: float = 0.01
    steps: int = 50

    @property
    def how(self) -> tuple[int, float, float, int]:
        """As `pairs` wants it: no penalty is a box without an end."""
        kind, sigma = (BOX, inf) if self.sigma is None else (KINDS[self.norm], float(self.sigma))
        return kind, sigma, self.tolerance, self.steps


@compiled
def pairs(first, last, indptr, indices, counts, phi, theta, eta, how, tilted, ratios, shares, logs,
          said):  # fmt: skip
    """Pass 1 for pairs first..last - 1, each coupled as far as `how` says.

    Args:
        first: pair.
        last: pair, not included.
        indptr: of documents' entries.
        indices: column of each entry.
        counts: n of each entry.
        phi: columns x T.
        theta: documents x T.
        eta: pairs x T, the start; then the end.
        how: see `CouplingSettings.how`.
        tilted: documents x T: theta1 exp(-eta / n1) and theta2 exp(eta / n2).
        ratios: as of `document`, of q.
        shares: documents x T: sum_w n_w q(t|w).
        logs: per document sum_w n_w log s_w, of q; their sum less that of p is -g.
        said: pairs x 3: l1 norm of A, l1 norm of what is left of the gradient, steps.
    """
    kind, sigma, tolerance, steps = how
    width = theta.shape[1]
    old, new = np.empty(width, eta.dtype), np.empty(width, eta.dtype)
    for k in range(first, last):
        i, j, at = 2 * k, 2 * k + 1, eta[k]
        n1, n2 = _sum(counts, indptr, i), _sum(counts, indptr, j)
        mean = n1 * n2 / (n1 + n2)
        bound = min(sigma, WIDEST * min(n1, n2))
        old[:] = at
        momentum = 1.0
        for step in range(steps):
            shifted(theta[i], at, -1 / n1, tilted[i])
            shifted(theta[j], at, 1 / n2, tilted[j])
            logs[i] = document(indices, counts, indptr[i], indptr[i + 1], phi, tilted[i], ratios,
                               shares[i])  # fmt: skip
            logs[j] = document(indices, counts, indptr[j], indptr[j + 1], phi, tilted[j], ratios,
                               shares[j])  # fmt: skip
            gap, left = _gaps(shares[i], shares[j], n1, n2, at, mean, bound, kind, new)
            said[k, 0], said[k, 1], said[k, 2] = gap, left, step + 1
            if left <= tolerance or step + 1 == steps:
                break
            _step(shares[i], shares[j], n1, n2, at, mean, bound, kind, new)
            momentum = _accelerate(shares[i], shares[j], n1, n2, old, new, at, momentum)
            _project(at, bound, kind)


@compiled
def _sum(counts, indptr, i):
    total = 0.0
    for k in range(indptr[i], indptr[i + 1]):
        total += counts[k]
    return total


@compiled
def _project(eta, bound, kind):
    """To the nearest point in the box or ball."""
    scale = 1.0
    if kind == BALL:
        length = 0.0
        for t in range(len(eta)):
            length += eta[t] * eta[t]
        scale = min(1.0, bound / max(sqrt(length), 1e-300))
    for t in range(len(eta)):
        eta[t] = eta[t] * scale if kind == BALL else min(max(eta[t], -bound), bound)


@compiled
def _gaps(first, second, n1, n2, eta, mean, bound, kind, at):
    """The l1 norms of A, and of how far along A a step of length 1 leads within the bounds."""
    gap = left = 0.0
    for t in range(len(eta)):
        difference = first[t] / n1 - second[t] / n2
        gap += abs(difference)
        at[t] = eta[t] + 2 * mean * difference
    _project(at, bound, kind)
    for t in range(len(eta)):
        left += abs(at[t] - eta[t])
    return gap, left / (2 * mean)


@compiled
def _step(first, second, n1, n2, eta, mean, bound, kind, out):
    """A step that ascends, to `out`; for a ball `out` has it from `_gaps`."""
    if kind != BALL:
        for t in range(len(eta)):
            ratio = (first[t] / n1 + LEAST) / (second[t] / n2 + LEAST)
            out[t] = eta[t] + mean * log(ratio)
        _project(out, bound, kind)


@compiled
def _accelerate(first, second, n1, n2, old, new, at, momentum):
    """Nesterov's step to `at`, and `new` to `old`; returns the next momentum."""
    along = 0.0
    for t in range(len(at)):
        along += (first[t] / n1 - second[t] / n2) * (new[t] - old[t])
    after = 1.0 if along < 0 else (1 + sqrt(1 + 4 * momentum * momentum)) / 2
    weight = 0.0 if along < 0 else (momentum - 1) / after
    for t in range(len(at)):
        at[t] = new[t] + weight * (new[t] - old[t])
        old[t] = new[t]
    return after
