"""EM of topic models: 500 topics, 10,000 pairs of documents of 150 words, 20,000 columns.

    .venv/bin/python -m benchmarks.topics_scale                      # JPLSA and CPLSA, sigma exact
    .venv/bin/python -m benchmarks.topics_scale --pairs 1000 --topics 50 --sigma 1

Prints for each iteration wall and CPU seconds and the peak of memory above what was there before
(topics included), the objective and, of CPLSA, what is left between the topics of a pair and the
steps that the coupling took per pair.
"""

import argparse

import numpy as np
from scipy import sparse

from benchmarks import synthetic
from benchmarks.measure import measured
from cr5.systems.topics.corpus import Corpus, make_corpus
from cr5.systems.topics.coupling import CouplingSettings
from cr5.systems.topics.em import Em, Step


def main() -> None:
    """Iterate both models and print."""
    options = _options()
    first, second = _counts(options)
    pairs = sparse.vstack([first, second], "csr")
    pairs = pairs[np.arange(pairs.shape[0]).reshape(2, -1).T.ravel()]
    sigma = None if options.sigma == "exact" else float(options.sigma)
    settings = CouplingSettings(sigma, tolerance=options.tolerance, steps=options.steps)
    _run("JPLSA", make_corpus(first + second, 0), settings, options)
    _run("CPLSA", make_corpus(pairs, first.shape[0]), settings, options)


def _run(name: str, corpus: Corpus, settings: CouplingSettings, options) -> None:
    counts = corpus.counts
    print(f"{name}: {counts.shape}, {counts.nnz:,} nonzeros, {options}", flush=True)
    small = make_corpus(counts[:2], min(corpus.n_pairs, 1))
    warm = Em(small, settings=settings)
    warm.step(warm.start(2))  # compiles
    em = Em(corpus, settings=settings, threads=options.threads)
    topics, cost = measured(lambda: em.start(options.topics))
    print(f"start        {cost}")
    for number in range(options.iterations):
        step, cost = measured(lambda: em.step(topics))
        print(f"iteration {number + 1:2} {cost}   {_said(step)}", flush=True)


def _said(step: Step) -> str:
    if not len(step.gaps):
        return f"objective {step.objective:.6g}"
    gaps, steps = step.gaps, step.steps / len(step.gaps)
    return (
        f"objective {step.objective:.6g}, gap {gaps.mean():.4f} to {gaps.max():.4f}, "
        f"{steps:.1f} steps a pair"
    )


def _counts(options) -> list[sparse.csr_matrix]:
    """Of each language documents x columns of both; how often a word occurs is made up."""
    shape = {"n_concepts": options.pairs, "vocabulary": options.words, "nonzeros": options.nonzeros}
    languages = {"en": options.pairs, "es": options.pairs}
    features, concepts = synthetic.cached(languages=languages, **shape)
    generator, found = np.random.default_rng(0), []
    for X, of_rows in zip(features, concepts, strict=True):
        X = X[np.argsort(of_rows)]
        X.data = 1.0 + generator.poisson(0.7, X.nnz)
        found.append(X)
    empty = sparse.csr_matrix(found[0].shape)
    beside = [[found[0], empty], [empty, found[1]]]
    return [sparse.hstack(blocks, "csr") for blocks in beside]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=10_000, help="of each language")
    parser.add_argument("--nonzeros", type=int, default=150)
    parser.add_argument("--topics", type=int, default=500)
    parser.add_argument("--iterations", type=int, default=3)
    parser.add_argument("--sigma", default="exact")
    parser.add_argument("--tolerance", type=float, default=0.01)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
