"""Both passes of an iteration of EM over sparse counts, compiled by Numba.

The E-step is never stored. With s = sum_t theta_t phi_tw for each entry (document, word) and
r = n / s, pass 1 gives sum_w n q(t|w) = theta_t sum_w r phi_tw for each document, and pass 2
sum_i n q(t|w) = phi_tw sum_i r theta_it for each word. A row belongs to one thread and its sums
have a fixed order, so the number of threads changes no byte. Rows of phi are contiguous, four
words are processed at once, and sums over topics may be reordered, so that the compiler can use
vectors.

Of a pair the topics are brought together by posterior regularisation (Platt et al. 2010, 2.5).
For a pair of n1 and n2 words with posteriors p, the E-step of CPLSA looks for the q that minimises
KL(q||p) + sigma sum_t eps_t, where A_t = sum_j q1_j(t) / n1 - sum_j q2_j(t) / n2 is at most eps_t
in size (the paper does not name the norm of eps). Its dual is to maximise, over eta in the box of
half width sigma,

    g(eta) = -sum_j log sum_t p1_j(t) exp(-eta_t / n1) - sum_j log sum_t p2_j(t) exp(eta_t / n2),

with gradient A and q1 ~ p1 exp(-eta / n1), q2 ~ p2 exp(eta / n2). As p ~ theta phi, all this is a
pass over the pair with theta1 exp(-eta / n1) and theta2 exp(eta / n2) instead of theta, and -g is
the gain in its sum of logarithms.

By g's Hessian, a step of 2 n1 n2 / (n1 + n2) A ascends. With shares a1 and a2 of a
topic, so that A = a1 - a2, Jensen's inequality gives a bound that separates into topics:

    g(eta + d) - g(eta) >= n1 (1 - sum_t a1_t exp(-d_t / n1)) + n2 (1 - sum_t a2_t exp(d_t / n2)),

largest for d = n1 n2 / (n1 + n2) log(a1 / a2). That step also ascends, also within a box, and is
longer for smaller shares (measured, down to a gap of 0.01: with 20 topics 4 steps per pair and
iteration instead of 16, with 100 topics 3 instead of 35). It is accelerated (Nesterov), and
restarts without momentum if that points downwards. A pair starts from the eta of the last
iteration.
"""

from math import sqrt

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


@compiled
def document(indices, counts, start, stop, phi, theta, ratios, out):
    """Pass 1 for a document, whose entries are start to stop; theta (T,) may have any scale.

    Sets `ratios`, r of each entry, and out_t = sum_w n_w q(t|w).
    """
    width = len(theta)
    out[:] = 0
    k = start
    while k + 4 <= stop:
        a, b, c, d = phi[indices[k]], phi[indices[k + 1]], phi[indices[k + 2]], phi[indices[k + 3]]
        p, q, r, s = _products(a, b, c, d, theta)
        p, q, r, s = counts[k] / p, counts[k + 1] / q, counts[k + 2] / r, counts[k + 3] / s
        ratios[k], ratios[k + 1], ratios[k + 2], ratios[k + 3] = p, q, r, s
        for t in range(width):
            out[t] += (p * a[t] + q * b[t]) + (r * c[t] + s * d[t])
        k += 4
    while k < stop:
        _word(counts[k], phi[indices[k]], theta, ratios, k, out)
        k += 1
    out *= theta


@compiled
def _products(a, b, c, d, theta):
    p = q = r = s = theta.dtype.type(0)
    for t in range(len(theta)):
        p += a[t] * theta[t]
        q += b[t] * theta[t]
        r += c[t] * theta[t]
        s += d[t] * theta[t]
    return p, q, r, s


@compiled
def _word(count, row, theta, ratios, k, out):
    s = theta.dtype.type(0)
    for t in range(len(theta)):
        s += row[t] * theta[t]
    ratio = count / s
    ratios[k] = ratio
    for t in range(len(theta)):
        out[t] += ratio * row[t]


@compiled
def documents(first, last, indptr, indices, counts, phi, theta, ratios, shares):
    """Pass 1 for documents first..last - 1 that are alone; `shares` is documents x T."""
    for i in range(first, last):
        given = indices, counts, indptr[i], indptr[i + 1]
        document(*given, phi, theta[i], ratios, shares[i])


@compiled
def words(first, last, indptr, documents, entries, ratios, theta, phi, prior, out):
    """Pass 2 for words first..last - 1: out_wt = sum_i n q(t|w) + prior, in the order of documents.

    A word has `documents` and `entries`, the number of each of its entries in the order of pass 1.
    """
    width = theta.shape[1]
    for w in range(first, last):
        row = out[w]
        row[:] = 0
        k, stop = indptr[w], indptr[w + 1]
        while k + 4 <= stop:
            p, q = ratios[entries[k]], ratios[entries[k + 1]]
            r, s = ratios[entries[k + 2]], ratios[entries[k + 3]]
            a, b = theta[documents[k]], theta[documents[k + 1]]
            c, d = theta[documents[k + 2]], theta[documents[k + 3]]
            for t in range(width):
                row[t] += (p * a[t] + q * b[t]) + (r * c[t] + s * d[t])
            k += 4
        while k < stop:
            p, a = ratios[entries[k]], theta[documents[k]]
            for t in range(width):
                row[t] += p * a[t]
            k += 1
        row[:] = row * phi[w] + prior


@compiled
def pairs(first, last, indptr, indices, counts, phi, theta, eta, how, tilted, ratios, shares):
    """Pass 1 for pairs first..last - 1; `how` is sigma (infinity: equal shares), tolerance, steps.

    Changes eta (pairs x T); sets tilted, theta1 exp(-eta / n1) and theta2 exp(eta / n2), and what
    `documents` sets, of q.
    """
    for k in range(first, last):
        rows, ends = slice(2 * k, 2 * k + 2), indptr[2 * k : 2 * k + 3]
        given = ends, indices, counts, phi, theta[rows]
        _couple(given, (tilted[rows], ratios, shares[rows]), eta[k], how)


@compiled
def _couple(given, told, at, how):
    """Ascend from `at` until the remaining gradient is small; `at` keeps its type."""
    sigma, tolerance, steps = how
    ends, _, counts, _, _ = given
    n = float(counts[ends[0] : ends[1]].sum()), float(counts[ends[1] : ends[2]].sum())
    mean, bound = n[0] * n[1] / (n[0] + n[1]), min(sigma, WIDEST * min(n))
    old, momentum = at.copy(), 1.0
    for step in range(steps):
        _evaluate(given, at, n, told)
        one, other = told[2][0] / n[0], told[2][1] / n[1]
        # the l1 norm of the scaled change by a projected step along A
        new = _within(at + 2 * mean * (one - other), bound).astype(at.dtype)
        left = np.abs(new - at).astype(np.float64).sum() / (2 * mean)
        if left <= tolerance or step + 1 == steps:
            break
        longer = at + mean * np.log((one + LEAST) / (other + LEAST))
        new = _within(longer, bound).astype(at.dtype)
        # Nesterov's step
        along = ((one - other) * (new - old)).sum()
        after = 1.0 if along < 0 else (1 + sqrt(1 + 4 * momentum * momentum)) / 2
        weight = 0.0 if along < 0 else (momentum - 1) / after
        at[:] = _within(new + weight * (new - old), bound)
        old, momentum = new, after


@compiled
def _within(eta, bound):
    """Project eta to the nearest point in the box."""
    return np.minimum(np.maximum(eta, -bound), bound)


@compiled
def _evaluate(given, eta, n, told):
    """Pass 1 for both documents."""
    ends, indices, counts, phi, theta = given
    tilted, ratios, shares = told
    for i in range(2):
        tilted[i] = theta[i] * np.exp((2 * i - 1) / n[i] * eta)
        words = indices, counts, ends[i], ends[i + 1]
        document(*words, phi, tilted[i], ratios, shares[i])
