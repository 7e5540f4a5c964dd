"""Both passes of an iteration of EM over sparse counts, compiled by Numba.

The E-step is never stored. With s = sum_t theta_t phi_tw for each entry (document, word) and
r = n / s, pass 1 gives sum_w n q(t|w) = theta_t sum_w r phi_tw for each document, and pass 2
sum_i n q(t|w) = phi_tw sum_i r theta_it for each word. A row belongs to one thread and its sums
have a fixed order, so the number of threads changes no byte. Rows of phi are contiguous, four
words are processed at once, and sums over topics may be reordered, so that the compiler can use
vectors. How pairs are coupled: see `pairs`.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numba import njit

compiled = njit(
    nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}
)

# Shares below it are effectively zero: their logarithms are meaningless in float32.
LEAST = 1e-12
# eta / n stays below, so that float32 can hold exp of it. Such an eta makes one topic of a word
# exp(40) times as likely: if shares can move at all, they have done so before.
WIDEST = 40.0


class Counts(NamedTuple):
    """The counts n, documents x columns, of a compressed sparse row matrix."""

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray  # of the type of theta and phi


class Entries(NamedTuple):
    """The same matrix by columns: where each word occurs."""

    indptr: np.ndarray
    documents: np.ndarray
    numbers: np.ndarray  # of each entry, in the order of `Counts`


class Expected(NamedTuple):
    """What pass 1 sets."""

    ratios: np.ndarray  # r of each entry
    topic_counts: np.ndarray  # documents x T: sum_w n q(t|w)


class Coupling(NamedTuple):
    """What a difference between the topics of a pair costs, and how long its q is sought."""

    sigma: float  # infinity: both have equal shares
    tolerance: float  # of the l1 norm of the remaining gradient
    steps: int  # at most


class Pair(NamedTuple):
    """Two documents that are coupled: arguments of `pairs`, of these documents alone."""

    counts: Counts
    theta: np.ndarray  # 2 x T
    phi: np.ndarray
    tilted: np.ndarray  # 2 x T
    expected: Expected


@compiled
def documents(first, last, counts, theta, phi, expected):
    """Pass 1 for documents first..last - 1; rows of theta may have any scale."""
    for i in range(first, last):
        start = counts.indptr[i]
        stop = counts.indptr[i + 1]
        _document(start, stop, counts, theta[i], phi, expected.ratios, expected.topic_counts[i])


@compiled
def _document(start, stop, counts, theta, phi, ratios, topic_counts):
    """Pass 1 for the document whose entries are start..stop - 1, with its rows of the arrays."""
    # taken out of their record once: read within the loop, pass 1 took a fifth longer (30 topics)
    indices = counts.indices
    data = counts.data
    n_topics = len(theta)
    topic_counts[:] = 0
    k = start
    while k + 4 <= stop:
        phi0 = phi[indices[k]]
        phi1 = phi[indices[k + 1]]
        phi2 = phi[indices[k + 2]]
        phi3 = phi[indices[k + 3]]
        sum0, sum1, sum2, sum3 = _sums_over_topics(theta, phi0, phi1, phi2, phi3)
        ratio0 = data[k] / sum0
        ratio1 = data[k + 1] / sum1
        ratio2 = data[k + 2] / sum2
        ratio3 = data[k + 3] / sum3
        ratios[k] = ratio0
        ratios[k + 1] = ratio1
        ratios[k + 2] = ratio2
        ratios[k + 3] = ratio3
        for t in range(n_topics):
            first_two = ratio0 * phi0[t] + ratio1 * phi1[t]
            last_two = ratio2 * phi2[t] + ratio3 * phi3[t]
            topic_counts[t] += first_two + last_two
        k += 4
    while k < stop:
        ratios[k] = _add_word(data[k], theta, phi[indices[k]], topic_counts)
        k += 1
    topic_counts *= theta


@compiled
def _sums_over_topics(theta, phi0, phi1, phi2, phi3):
    """Return s of four words."""
    sum0 = theta.dtype.type(0)
    sum1 = theta.dtype.type(0)
    sum2 = theta.dtype.type(0)
    sum3 = theta.dtype.type(0)
    for t in range(len(theta)):
        sum0 += phi0[t] * theta[t]
        sum1 += phi1[t] * theta[t]
        sum2 += phi2[t] * theta[t]
        sum3 += phi3[t] * theta[t]
    return sum0, sum1, sum2, sum3


@compiled
def _add_word(count, theta, phi, topic_counts):
    """Add r phi of one word; return r."""
    total = theta.dtype.type(0)
    for t in range(len(theta)):
        total += phi[t] * theta[t]
    ratio = count / total
    for t in range(len(theta)):
        topic_counts[t] += ratio * phi[t]
    return ratio


@compiled
def words(first, last, entries, ratios, theta, phi, prior, sums):
    """Pass 2 for words first..last - 1: sets rows of `sums` to sum_i n q(t|w) + prior.

    Documents are added up in their order.
    """
    for w in range(first, last):
        start = entries.indptr[w]
        stop = entries.indptr[w + 1]
        _word(start, stop, entries, ratios, theta, sums[w])
        sums[w] = sums[w] * phi[w] + prior


@compiled
def _word(start, stop, entries, ratios, theta, sums):
    """Set `sums` to sum_i r theta_it for the word whose entries are start..stop - 1."""
    documents = entries.documents
    numbers = entries.numbers
    n_topics = theta.shape[1]
    sums[:] = 0
    k = start
    while k + 4 <= stop:
        ratio0 = ratios[numbers[k]]
        ratio1 = ratios[numbers[k + 1]]
        ratio2 = ratios[numbers[k + 2]]
        ratio3 = ratios[numbers[k + 3]]
        theta0 = theta[documents[k]]
        theta1 = theta[documents[k + 1]]
        theta2 = theta[documents[k + 2]]
        theta3 = theta[documents[k + 3]]
        for t in range(n_topics):
            first_two = ratio0 * theta0[t] + ratio1 * theta1[t]
            last_two = ratio2 * theta2[t] + ratio3 * theta3[t]
            sums[t] += first_two + last_two
        k += 4
    while k < stop:
        ratio = ratios[numbers[k]]
        row = theta[documents[k]]
        for t in range(n_topics):
            sums[t] += ratio * row[t]
        k += 1


@compiled
def pairs(first, last, counts, theta, phi, coupling, eta, tilted, expected):
    """Pass 1 for pairs first..last - 1, of which pair k is documents 2k and 2k + 1.

    Their topics are brought together by posterior regularisation (Platt et al. 2010, 2.5). For a
    pair of n1 and n2 words with posteriors p, the E-step of CPLSA looks for the q that minimises
    KL(q||p) + sigma sum_t eps_t, where A_t = sum_j q1_j(t) / n1 - sum_j q2_j(t) / n2 is at most
    eps_t in size (the paper does not name the norm of eps). Its dual is to maximise, over eta in
    the box of half width sigma,

        g(eta) = -sum_j log sum_t p1_j(t) exp(-eta_t / n1) - sum_j log sum_t p2_j(t) exp(eta_t / n2)

    with gradient A and q1 ~ p1 exp(-eta / n1), q2 ~ p2 exp(eta / n2). As p ~ theta phi, all this is
    a pass over the pair with theta1 exp(-eta / n1) and theta2 exp(eta / n2) instead of theta, and
    -g is the gain in its sum of logarithms.

    Improves eta (pairs x T) from where it is, as the last iteration left it; sets `tilted`, the
    tilted theta, and what is expected, of q.
    """
    for k in range(first, last):
        rows = slice(2 * k, 2 * k + 2)
        pair_counts = Counts(counts.indptr[2 * k : 2 * k + 3], counts.indices, counts.data)
        pair_expected = Expected(expected.ratios, expected.topic_counts[rows])
        pair = Pair(pair_counts, theta[rows], phi, tilted[rows], pair_expected)
        _couple(pair, coupling, eta[k])


@compiled
def _couple(pair, coupling, eta):
    """Ascend g from eta, in place, until the remaining gradient is small.

    By g's Hessian, a step of 2 n1 n2 / (n1 + n2) A ascends. With shares a1 and a2 of a topic, so
    that A = a1 - a2, Jensen's inequality gives a bound that separates into topics:

        g(eta + d) - g(eta) >= n1 (1 - sum_t a1_t exp(-d_t / n1))
                             + n2 (1 - sum_t a2_t exp(d_t / n2))

    largest for d = n1 n2 / (n1 + n2) log(a1 / a2). That step also ascends, also within a box, and
    is longer for smaller shares (measured, down to a gap of 0.01: with 20 topics 4 steps per pair
    and iteration instead of 16, with 100 topics 3 instead of 35). It is accelerated (Nesterov), and
    restarts without momentum if that points downwards.
    """
    n1 = _n_tokens(pair.counts, 0)
    n2 = _n_tokens(pair.counts, 1)
    scale = n1 * n2 / (n1 + n2)
    half_width = min(coupling.sigma, WIDEST * min(n1, n2))
    previous = eta.copy()
    momentum = 1.0
    for step in range(coupling.steps):
        _tilt(pair, n1, n2, eta)
        a1 = pair.expected.topic_counts[0] / n1
        a2 = pair.expected.topic_counts[1] / n2
        # the l1 norm of the scaled change by a projected step along A = a1 - a2
        projected = _within(eta + 2 * scale * (a1 - a2), half_width).astype(eta.dtype)
        gap = np.abs(projected - eta).astype(np.float64).sum() / (2 * scale)
        if gap <= coupling.tolerance or step + 1 == coupling.steps:
            break
        longer = eta + scale * np.log((a1 + LEAST) / (a2 + LEAST))
        ascended = _within(longer, half_width).astype(eta.dtype)
        # written out: a name for A, or for the change, would be one more array in every step
        slope = ((a1 - a2) * (ascended - previous)).sum()
        if slope < 0:
            next_momentum = 1.0
            weight = 0.0
        else:
            next_momentum = (1 + sqrt(1 + 4 * momentum * momentum)) / 2
            weight = (momentum - 1) / next_momentum
        eta[:] = _within(ascended + weight * (ascended - previous), half_width)
        previous = ascended
        momentum = next_momentum


@compiled
def _n_tokens(counts, i):
    """Return the number of words of document i."""
    return float(counts.data[counts.indptr[i] : counts.indptr[i + 1]].sum())


@compiled
def _tilt(pair, n1, n2, eta):
    """Pass 1 for both documents, theta tilted by eta."""
    pair.tilted[0] = pair.theta[0] * np.exp(-1 / n1 * eta)
    pair.tilted[1] = pair.theta[1] * np.exp(1 / n2 * eta)
    documents(0, 2, pair.counts, pair.tilted, pair.phi, pair.expected)


@compiled
def _within(eta, half_width):
    """Project eta to the nearest point in the box."""
    return np.minimum(np.maximum(eta, -half_width), half_width)
