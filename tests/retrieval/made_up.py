"""Models of every kind of rows, and texts in made-up words."""

import numpy as np
from scipy import sparse

from cr5.models.word_tables import JoinedTables, WordTables

N = 60  # words of a language
WORDS = {
    language: [language + "abcdefghij"[i // 10] + "abcdefghij"[i % 10] for i in range(N)]
    for language in ("en", "it", "vi")
}


def models():
    """A model by its kind."""
    rng = np.random.default_rng(5)
    dense = {x: rng.normal(size=(N, 8)).astype(np.float32) for x in WORDS}
    thin = {
        x: sparse.csr_matrix(sparse.random_array((N, 40), density=0.2, rng=rng, dtype=np.float32))
        for x in WORDS
    }
    ones = {x: np.ones(N) for x in WORDS}
    yield "dense", WordTables(WORDS, dense, ones)
    yield "sparse", WordTables(WORDS, thin, ones)
    joined = {"beside": thin, "beside_weights": ones, "beside_term_frequency": "raw", "beta": 0.5}
    yield "joined", JoinedTables(WORDS, dense, ones, **joined)
    yield "dot", WordTables(WORDS, dense, ones, norm="none", measures=("dot",))
    yield "l1", WordTables(WORDS, dense, ones, norm="l1", measures=("l1",))
    directed = {x: {y: np.roll(dense[x], len(y + x), 0)[:, :4] for y in WORDS} for x in WORDS}
    directed["it"]["en"] = dense["it"][:, 4:]
    yield "directed", WordTables(WORDS, directed, ones, measures=("cosine", "csls"))


def texts(language, n, seed=0):
    """Ids, texts and titles."""
    rng = np.random.default_rng([seed, *language.encode()])
    found = [" ".join(rng.choice(WORDS[language], 12)) for _ in range(n)]
    return [f"{language}{i}" for i in range(n)], found, [f"Title {i}" for i in range(n)]
