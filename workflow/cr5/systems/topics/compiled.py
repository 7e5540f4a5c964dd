"""Both passes of an iteration of EM over sparse counts, compiled by Numba.

The E-step is never stored. With s = sum_t theta_t phi_tw for each entry (document, word) and
r = n / s, pass 1 gives sum_w n q(t|w) = theta_t sum_w r phi_tw for each document, and pass 2
sum_i n q(t|w) = phi_tw sum_i r theta_it for each word. A row belongs to one thread and its sums
have a fixed order, so the number of threads changes no byte. Rows of phi are contiguous, four
words are processed at once, and sums over topics may be reordered, so that the compiler can use
vectors.
"""

from math import log

import numpy as np
from numba import njit

compiled = njit(
    nogil=True, cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}
)


@compiled
def document(indices, counts, start, stop, phi, theta, ratios, out):
    """Pass 1 for a document, whose entries are start to stop; theta (T,) may have any scale.

    Sets `ratios`, r of each entry, and out_t = sum_w n_w q(t|w); returns sum_w n_w log s_w.
    """
    width = len(theta)
    for t in range(width):
        out[t] = 0
    total, k = 0.0, start
    while k + 4 <= stop:
        a, b, c, d = phi[indices[k]], phi[indices[k + 1]], phi[indices[k + 2]], phi[indices[k + 3]]
        p, q, r, s = _products(a, b, c, d, theta)
        total += counts[k] * log(float(p)) + counts[k + 1] * log(float(q))
        total += counts[k + 2] * log(float(r)) + counts[k + 3] * log(float(s))
        p, q, r, s = counts[k] / p, counts[k + 1] / q, counts[k + 2] / r, counts[k + 3] / s
        ratios[k], ratios[k + 1], ratios[k + 2], ratios[k + 3] = p, q, r, s
        for t in range(width):
            out[t] += (p * a[t] + q * b[t]) + (r * c[t] + s * d[t])
        k += 4
    while k < stop:
        total += _word(counts[k], phi[indices[k]], theta, ratios, k, out)
        k += 1
    for t in range(width):
        out[t] *= theta[t]
    return total


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
    return count * log(float(s))


@compiled
def documents(first, last, indptr, indices, counts, phi, theta, ratios, shares, logs):
    """Pass 1 for documents first..last - 1 that are alone; `shares` is documents x T."""
    for i in range(first, last):
        given = indices, counts, indptr[i], indptr[i + 1]
        logs[i] = document(*given, phi, theta[i], ratios, shares[i])


@compiled
def words(first, last, indptr, documents, entries, ratios, theta, phi, prior, out):
    """Pass 2 for words first..last - 1: out_wt = sum_i n q(t|w) + prior, in the order of documents.

    A word has `documents` and `entries`, the number of each of its entries in the order of pass 1.
    """
    width = theta.shape[1]
    for w in range(first, last):
        row = out[w]
        for t in range(width):
            row[t] = 0
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
        for t in range(width):
            row[t] = row[t] * phi[w, t] + prior


@compiled
def shifted(theta, eta, factor, out):
    """Set out_t to theta_t exp(factor eta_t)."""
    for t in range(len(theta)):
        out[t] = theta[t] * np.exp(factor * eta[t])
