"""What a prior over spellings costs with real words: CPU-seconds with it over those without.

    .venv/bin/python -m benchmarks.prior_cost results/libreoffice_help
    .venv/bin/python -m benchmarks.prior_cost results/libreoffice_help --languages da vi --seed 1

The pages of a finished run that two languages share are repeated until there are 20,000 concepts;
each copy keeps every token with chance 0.7, so that no two are alike. Both fits are iterative, to
the paper's tolerance, rank 300, ridge 1, of log term frequencies, in one process in turns.
"""

import argparse
from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.measure import measured
from cr5.counts import bags
from cr5.counts.weighting import inverse_document_frequency, tfidf
from cr5.systems import reduced_rank
from cr5.systems.spelling.features import KINDS, features

KEPT = 0.7  # of the tokens


def corpus(folder: Path, languages: list[str], concepts: int, seed: int):
    """Features of each language, documents x words, and the words."""
    found = {x: bags.load(folder / "bags" / x, x) for x in languages}
    shared = sorted(set.intersection(*(set(x.documents["concept"]) for x in found.values())))
    generator = np.random.default_rng(seed)
    repeated = [shared[i % len(shared)] for i in range(concepts)]
    X, words = [], {}
    for language, each in found.items():
        counts = each.counts[each.rows(repeated)].astype(np.int64)
        counts.data = generator.binomial(counts.data, KEPT)
        counts.eliminate_zeros()
        known = np.flatnonzero(np.diff(counts.tocsc().indptr))
        counts = sparse.csr_matrix(counts[:, known])
        X.append(tfidf(counts, inverse_document_frequency(counts), "log"))
        words[language] = each.words["word"].iloc[known].tolist()
    return X, words


def main() -> None:
    """Print a line for each fit, and how many times the CPU-seconds of Cr5's it took."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, help="of a finished run")
    parser.add_argument("--languages", nargs=2, default=["en", "it"])
    parser.add_argument("--concepts", type=int, default=20_000)
    parser.add_argument("--rank", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    X, words = corpus(given.results, given.languages, given.concepts, given.seed)
    sizes = ", ".join(f"{len(x):,}" for x in words.values())
    print(f"{given}: {sizes} words, {sum(x.nnz for x in X):,} nonzeros", flush=True)
    plain = np.nan
    for kind in (None, None, *KINDS):  # the first fit also loads what is compiled
        N = features(words, kind) if kind else {}
        more = {"prior": [N[x] for x in given.languages], "scaling": 1.0} if kind else {}

        def fit(more: dict = more) -> reduced_rank.Solution:
            concepts = [np.arange(given.concepts)] * 2
            how = (given.concepts, given.rank, [1.0], "iterative", "paper")
            return next(reduced_rank.fit(X, concepts, *how, threads=given.threads, **more))

        solution, cost = measured(fit)
        plain = plain if kind else cost.cpu
        print(f"prior {kind}: {cost}, {solution.iterations} steps, {cost.cpu / plain:.2f} times")


if __name__ == "__main__":
    main()
