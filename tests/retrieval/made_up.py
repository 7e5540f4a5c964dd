"""Models of every kind of rows, and texts in made-up words."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from cr5.models.bank import with_bank
from cr5.models.word_tables import JoinedTables, WordTables
from cr5.retrieval.embedder import Embedder
from cr5.search.word_matches import matches
from tests.kit import inside

N = 60  # words of a language
LANGUAGES = ("en", "it", "vi")
LETTERS = "abcdefghij"
NEIGHBOURS = 4  # K of CSLS, of models that keep training documents


def word(language, number):
    """Spell a number below 100, after the code of a language."""
    tens, ones = divmod(number, 10)
    return language + LETTERS[tens] + LETTERS[ones]


WORDS = {language: [word(language, number) for number in range(N)] for language in LANGUAGES}


def _models():
    """Draw a model of each kind."""
    generator = np.random.default_rng(5)
    dense = {}
    for language in LANGUAGES:
        dense[language] = generator.normal(size=(N, 8)).astype(np.float32)
    thin = {}
    for language in LANGUAGES:
        drawn = sparse.random_array((N, 40), density=0.2, rng=generator, dtype=np.float32)
        thin[language] = sparse.csr_matrix(drawn)
    ones = {language: np.ones(N) for language in LANGUAGES}
    plain = WordTables(WORDS, dense, ones)
    joined = JoinedTables(
        WORDS,
        dense,
        ones,
        beside=thin,
        beside_weights=ones,
        beside_term_frequency="raw",
        beta=0.5,
    )
    return {
        "dense": plain,
        "sparse": WordTables(WORDS, thin, ones),
        "joined": joined,
        "dot": replace(plain, norm="none", measures=("dot",)),
        "l1": replace(plain, norm="l1", measures=("l1",)),
        "directed": replace(plain, tables=_directed(dense)),
    }


def _directed(dense):
    """Return tables of each language towards each, half as wide as the dense ones."""
    tables = {}
    for language in LANGUAGES:
        tables[language] = {}
        for target in LANGUAGES:
            rolled = np.roll(dense[language], len(target + language), 0)
            tables[language][target] = rolled[:, :4]
    tables["it"]["en"] = dense["it"][:, 4:]
    return tables


MODELS = _models()


def embedder(kind, trained=False, **changes):
    """Return a model of a kind with other values of some fields; one that trained keeps that."""
    model = replace(MODELS[kind], **changes)
    if not trained:
        return Embedder(model, {}, kind)
    return Embedder(with_bank(model, TRAINING), {"csls_neighbours": NEIGHBOURS}, kind)


TRAINING = {
    language: sparse.csr_matrix(np.random.default_rng(3).poisson(0.3, (25, N)))
    for language in LANGUAGES
}


@dataclass(frozen=True)
class Texts:
    """Texts of a language, as an index takes them."""

    ids: list[str]
    contents: list[str]
    titles: list[str]


def texts(language, n, seed=0):
    """Draw texts of twelve words each."""
    generator = np.random.default_rng([seed, *language.encode()])
    contents = [" ".join(generator.choice(WORDS[language], 12)) for _ in range(n)]
    ids = [f"{language}{number}" for number in range(n)]
    return Texts(ids, contents, [f"Title {number}" for number in range(n)])


def matched(model, queries, query_language, candidates, target_language):
    """Compute m of the second stage for each query and candidate, n x m, pair by pair."""
    fitted = model.model
    query_words = fitted.matched(model.count(queries, query_language), query_language)
    candidate_words = fitted.matched(model.count(candidates, target_language), target_language)
    shape = (len(queries), len(candidates))
    query, candidate = np.indices(shape)
    m = matches(query_words, candidate_words, query.ravel(), candidate.ravel())
    return m.reshape(shape)


def full(rows):
    """Return rows of whatever kind as one array."""
    return np.hstack(inside.dense(rows))
