"""Corpora of any size that look like aligned articles, without any text.

Every concept belongs to a field and a topic, and its documents, one per language, draw their
words accordingly. A draw is first a word of the language at large, its frequency after Zipf's law.
Words among the most frequent stay (articles, prepositions); of the others a part is replaced by a
word of about the same frequency that the field, the topic or the concept prefers. Some documents
stray to another concept's field or topic: in some topics none, in others half. So frequencies
follow Zipf's law, eigenvalues fall gradually, and what the documents of a concept have in common
can be learnt.

    from benchmarks import synthetic
    features, concepts = synthetic.corpus({"da": 2000, "en": 3000}, 3500, 20000, 120)

A prior over spellings needs words, too, with as many beginnings in common as real ones have: a stem
of one to four syllables, half of them a language's own, half there for all, and an ending. Of the
help pages' 11,000 words in four languages the prior keeps 0.31 columns and 1.5 entries a word; of
20,000 made-up words in each of two languages 0.37 and 1.5.
"""

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy import optimize, sparse

from cr5.base.files import atomic_folder
from cr5.counts.weighting import inverse_document_frequency

Corpus = tuple[list[sparse.csr_matrix], list[np.ndarray]]

# The paper's training data, roughly: 1.4 million documents with 213 million nonzeros.
PAPER = {
    "languages": {"da": 110_000, "en": 600_000, "it": 560_000, "vi": 150_000},
    "n_concepts": 620_000,
    "vocabulary": 200_000,
    "nonzeros": 150,
}

FIELDS, TOPICS = 40, 400
# Of the field, the topic and the concept: its share of the draws, and how many words of about the
# same frequency it chooses one from.
LEVELS = ((0.3, 32), (0.3, 64), (0.15, 256))
RENOWN = 0.5  # of a concept, which brings it into many languages, beside noise of size 1
SPREAD = 0.6  # of the document lengths, which are log-normal
ROWS = 4096  # documents that are made at once

CONSONANTS, VOWELS = list("bcdfghjklmnpqrstvwxz"), list("aeiouy")
SYLLABLES = (0.1, 0.35, 0.35, 0.2)  # shares of stems with one to four
SHARED = 0.5  # of the stems
PER_STEM = 0.55  # stems for each word
ENDINGS = 12  # of a language


def corpus(
    languages: Mapping[str, int], n_concepts: int, vocabulary: int, nonzeros: int, seed: int = 0
) -> Corpus:
    """Make tf-idf features and the concepts they belong to.

    Args:
        languages: number of documents of each, at most `n_concepts`, together at least as many.
        n_concepts: K; each has a document in at least one language.
        vocabulary: words of each language.
        nonzeros: distinct words per document, on average.
        seed: the same seed gives the same bytes.

    Returns:
        Per language documents x vocabulary (float32, rows of length one, raw term frequency x
        (ln(n / df) + 1), words by falling frequency), and the concept (int32, ascending) of each
        row.
    """
    generator = np.random.default_rng(seed)
    members = _members(languages, n_concepts, generator)
    topic = (TOPICS * generator.random(n_concepts) ** 2).astype(np.uint32)
    draws = _draws_for(nonzeros, topic, vocabulary, seed)
    features = [
        _tfidf(_counts(rows, topic, vocabulary, draws, (seed, number)))
        for number, rows in enumerate(members)
    ]
    return features, members


def cached(folder: Path | None = None, **shape) -> Corpus:
    """`corpus(**shape)`, kept in a folder (by default under the system's temporary folder)."""
    name = hashlib.sha256(f"{shape} {Path(__file__).read_text()}".encode()).hexdigest()[:16]
    folder = (folder or Path(tempfile.gettempdir()) / "cr5-benchmarks") / name
    if not folder.exists():
        with atomic_folder(folder) as temporary:
            for number, (X, concepts) in enumerate(zip(*corpus(**shape), strict=True)):
                sparse.save_npz(temporary / f"{number}.npz", X, compressed=False)
                np.save(temporary / f"{number}.npy", concepts)
    numbers = range(len(shape["languages"]))
    features = [sparse.load_npz(folder / f"{number}.npz") for number in numbers]
    return features, [np.load(folder / f"{number}.npy") for number in numbers]


def spellings(languages: Sequence[str], vocabulary: int, seed: int = 0) -> dict[str, list[str]]:
    """Make up different words for each language, so many of each."""
    generator = np.random.default_rng(seed)
    n = round(PER_STEM * vocabulary)
    common = _stems(n, generator)
    return {x: _spelled(common, n, vocabulary, generator) for x in languages}


def _members(
    languages: Mapping[str, int], n_concepts: int, generator: np.random.Generator
) -> list[np.ndarray]:
    """The concepts of each language: first those it is the home of, then well-known ones."""
    sizes = np.array(list(languages.values()))
    if sizes.max() > n_concepts or sizes.sum() < n_concepts:
        raise ValueError(f"documents {dict(languages)} do not fit {n_concepts} concepts")
    ends = np.round(np.cumsum(sizes) / sizes.sum() * n_concepts).astype(int)
    home = generator.permutation(np.repeat(np.arange(len(sizes)), np.diff(ends, prepend=0)))
    renown = RENOWN * generator.standard_normal(n_concepts, np.float32)
    members = []
    for language, size in enumerate(sizes):
        score = renown + generator.standard_normal(n_concepts, np.float32)
        score[home == language] = np.inf
        members.append(np.sort(np.argpartition(-score, size - 1)[:size]).astype(np.int32))
    return members


def _draws_for(nonzeros: int, topic: np.ndarray, vocabulary: int, seed: int) -> float:
    """Words to draw per document for so many distinct ones, found by trying on 2,000 documents."""
    documents = np.arange(2000, dtype=np.uint32) % len(topic)

    def excess(log_draws: float) -> float:
        counts = _counts(documents, topic, vocabulary, np.exp(log_draws), (seed, 0))
        return counts.nnz / len(documents) - nonzeros

    low, high = np.log(max(nonzeros / 2, 10)), np.log(nonzeros * 50)
    return float(np.exp(optimize.brentq(excess, low, high, xtol=0.005)))


def _counts(
    concepts: np.ndarray, topic: np.ndarray, vocabulary: int, draws: float, seed: tuple[int, int]
) -> sparse.csr_matrix:
    """Counts of the documents of one language, float32.

    Args:
        concepts: of the rows.
        topic: of every concept.
        vocabulary: number of words.
        draws: words per document, repetitions included, on average.
        seed: of the corpus, and the number of the language.
    """
    parts = []
    for start in range(0, len(concepts), ROWS):
        generator = np.random.default_rng([*seed, start])
        parts.append(
            _chunk(concepts[start : start + ROWS], topic, vocabulary, draws, seed[1], generator)
        )
    lengths, indices, data = (np.concatenate(part) for part in zip(*parts, strict=True))
    kind = np.int32 if len(data) < np.iinfo(np.int32).max else np.int64
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(kind)
    return sparse.csr_matrix((data, indices, indptr), shape=(len(concepts), vocabulary))


def _chunk(
    concepts: np.ndarray,
    topic: np.ndarray,
    vocabulary: int,
    draws: float,
    language: int,
    generator: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distinct words of each document; the words, document after document; their counts."""
    n = len(concepts)
    means = generator.lognormal(np.log(draws) - SPREAD**2 / 2, SPREAD, n)
    rows = np.repeat(np.arange(n), np.maximum(means, 1).astype(int))
    preferences = [part[rows] for part in _preferences(concepts, topic, generator)]
    words = _words(preferences, vocabulary, language, generator)
    kind = np.uint32 if n * vocabulary < 2**32 else np.uint64
    keys, counts = np.unique(rows.astype(kind) * kind(vocabulary) + words, return_counts=True)
    rows, words = np.divmod(keys, kind(vocabulary))
    lengths = np.bincount(rows.astype(np.intp), minlength=n)
    return lengths, words.astype(np.int32), counts.astype(np.float32)


def _preferences(
    concepts: np.ndarray, topic: np.ndarray, generator: np.random.Generator
) -> list[np.ndarray]:
    """Field, topic and concept of each document, numbered without overlap."""
    n = len(concepts)
    own, other = topic[concepts], topic[generator.integers(0, len(topic), n)]
    # Documents of topic t keep to it with probability 0.5 to 1, spread evenly over the topics.
    keeps = 0.5 + 0.5 * (own * 0.618 % 1)
    field = np.where(generator.random(n) < keeps, own, other) % FIELDS
    strayed = np.where(generator.random(n) < keeps, own, other) + FIELDS
    return [field, strayed, (concepts + FIELDS + TOPICS).astype(np.uint32)]


def _words(
    preferences: list[np.ndarray], vocabulary: int, language: int, generator: np.random.Generator
) -> np.ndarray:
    """Draw one word for each entry of the preferences; words are numbered by falling frequency."""
    n = len(preferences[0])
    # Log-uniform: word w has the probability ln((w + 2) / (w + 1)) / ln(p + 1).
    logarithms = generator.random(n, np.float32) * np.float32(np.log(vocabulary + 1))
    words = np.minimum(np.exp(logarithms).astype(np.uint32), np.uint32(vocabulary)) - np.uint32(1)
    level, bound = generator.random(n, np.float32), 0.0
    for preferred, (share, width) in zip(preferences, LEVELS, strict=True):
        chosen = np.flatnonzero((level >= bound) & (level < bound + share) & (words >= width))
        first = words[chosen] // width * width
        width_here = np.minimum(np.uint32(width), vocabulary - first)
        step = _scrambled(preferred[chosen], first + np.uint32(language)) % width_here
        words[chosen] = first + step
        bound += share
    return words


def _scrambled(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Pseudo-random 32-bit numbers that depend on nothing but two numbers each."""
    mixed = left * np.uint32(0x9E3779B1) ^ right * np.uint32(0x85EBCA77)
    mixed = (mixed ^ (mixed >> np.uint32(15))) * np.uint32(0xC2B2AE3D)
    return mixed ^ (mixed >> np.uint32(13))


def _tfidf(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """As `cr5.counts.weighting.tfidf`, but in float32 and in place: a third of the memory."""
    idf = inverse_document_frequency(counts).astype(np.float32)
    for start in range(0, counts.shape[0], ROWS):
        ends = counts.indptr[start : start + ROWS + 1]
        data = counts.data[ends[0] : ends[-1]]
        data *= idf[counts.indices[ends[0] : ends[-1]]]
        lengths = np.sqrt(np.add.reduceat(data**2, ends[:-1] - ends[0]))
        data /= np.repeat(lengths, np.diff(ends))
    return counts


def _spelled(
    common: list[str], n: int, vocabulary: int, generator: np.random.Generator
) -> list[str]:
    own = _stems(n, generator)
    shared = generator.random(n) < SHARED
    stems = [common[i] if is_shared else own[i] for i, is_shared in enumerate(shared)]
    endings = ["", *_stems(ENDINGS, generator, longest=2)]
    found: dict[str, None] = {}
    while len(found) < vocabulary:
        stem, ending = generator.integers(0, n), generator.integers(0, len(endings))
        found.setdefault(stems[stem] + endings[ending])
    return list(found)


def _stems(n: int, generator: np.random.Generator, longest: int = 4) -> list[str]:
    shares = np.array(SYLLABLES[:longest])
    lengths = generator.choice(longest, n, p=shares / shares.sum()) + 1
    return ["".join(_syllable(generator) for _ in range(length)) for length in lengths]


def _syllable(generator: np.random.Generator) -> str:
    # the letters of a language are not equally frequent
    consonant = CONSONANTS[int(len(CONSONANTS) * generator.random() ** 1.5)]
    return consonant + VOWELS[int(len(VOWELS) * generator.random() ** 1.5)]
