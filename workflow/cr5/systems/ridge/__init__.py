r"""Reduced-rank ridge regression from documents onto concepts: Cr5 and what grew from it.

X (n x p) stacks the languages' documents, one diagonal block X_l per language; Y (n x K) has
a one at each document's concept. C = I - 11'/n centres over all n rows: Xhat = CX, Yhat = CY.
With B = Xhat'Xhat + lambda I (Josifoski et al., WSDM 2019):

    Eq. 8   minimise 1/2 ||Y - X W' - 1 b'||^2 + lambda/2 ||W||^2  subject to rank(W) = r
    Eq. 12  M = Yhat'Xhat B^-1 Xhat'Yhat,  M P = P diag(mu),  the r largest mu
    Eq. 14  W' = Phi' P'  with  Phi' = B^-1 Xhat'Yhat P   (p x r)
    Eq. 15  Phi Phi' = Q Lambda Q',  T = Phi' Q Lambda^-1/2   (p x r, orthonormal columns)

(The paper writes T' for our transposed T.) The rows of T are word vectors, and the block of
rows that belongs to a language is its map. 0 <= mu <= the largest number of documents of one
concept, which is the number of languages if every concept has one document in each.

A prior over words, N_l (words x features that all languages share) with weight gamma, replaces
lambda ||W||^2 by lambda times W in the metric of the inverse of (I + gamma N N') / (1 + gamma):
words with features in common get similar vectors. That is Cr5 on the features stack(X_l F_l) for
any F with F F' = (I + gamma N N') / (1 + gamma), and the word vectors are F Phi. `problem.factor`
finds one with hardly more columns than there are words; only X_l and F_l are kept.

Two routes lead to the same P and Phi:

- `dense`, exact, in the space of documents. K_l = X_l X_l' and G = blockdiag(K_l + lambda I)^-1
  give the inverse of CXX'C + lambda I on centred vectors as R = G - g g' / (1'g), g = G1.
  R annihilates 1, hence M = Yhat'Yhat - lambda Y'RY and Phi' = X'R Y P.
- `iterative`, in the space of words. M and the pencil (A A', B), A = Xhat'Yhat, have the same
  eigenvalues: A A'w = mu B w, p = A'w / sqrt(mu). Only products with A and B are needed, and with
  the features centred implicitly they are two sparse products each (`basis.Features`), on threads.
  The paper's own way, B^-1 through one linear system per language and a correction of rank one,
  B^-1 = D^-1 + b b' / J with b = D^-1 X'1 and J = n (1 - n m'D^-1 m), is not used: J is a small
  difference of large numbers. (The paper prints this correction with a minus and
  n / (n m'D^-1 m - 1), which is negative: the same, but its root is imaginary.)
"""
