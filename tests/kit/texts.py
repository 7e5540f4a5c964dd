"""Made-up languages: numbered words, texts of several languages about the same, word vectors."""

from collections.abc import Iterable

import numpy as np

WORDS, TOPICS = 900, 13
LATIN = "bdgklmnprt"
LETTERS = {"hi": "कगचजटडतदनप", "ru": "бвгдзклмнр"}
FREQUENCY = 1 / np.arange(4, WORDS + 4)  # Zipf's law
GENERAL = 0.4  # share of words that say nothing about the topic

LENGTH = 0.3  # makes vectors of about 2, as published ones are

Texts = dict[str, dict[int, np.ndarray]]


def word(number: int, language: str) -> str:
    """Spell a word: a tenth are alike in all languages, a tenth begin alike, others differ."""
    digits = [int(x) for x in f"{number:03}"]
    latin = "".join(LATIN[x] for x in digits)
    if number % 10 == 0:
        return f"x{latin}"
    if number % 10 == 1:
        return f"yo{latin}{language}"
    if own := LETTERS.get(language):
        return "".join(own[x] for x in digits)
    return f"{language}{latin}"


def said(numbers: Iterable[int], language: str) -> str:
    """Spell a text."""
    return " ".join(word(x, language) for x in numbers)


def mixtures(n: int, seed: int) -> np.ndarray:
    """Shares of the topics in n texts, each mostly about one or two (n x TOPICS)."""
    return np.random.default_rng(seed).dirichlet([0.15] * TOPICS, n)


def texts(
    languages: Iterable[str], n: int, length: int, faithful: float, seed: int, missing: float = 0.05
) -> Texts:
    """Return n texts in each language: by language, numbers of words by the number of the text.

    Args:
        languages: codes.
        n: of texts, some of which are missing in a language.
        length: mean number of words of a text.
        faithful: share of words that translate, in the same order, what the others say; the rest
            is only about the same topics.
        seed: of everything, the same in all languages but for their own words.
        missing: share of texts that a language lacks.
    """
    shares = mixtures(n, seed)
    common = np.random.default_rng([seed, 1])
    lengths = common.integers(int(0.6 * length), int(1.4 * length) + 1, n)
    meant = [_drawn(common, *x) for x in zip(shares, lengths, strict=True)]
    found: Texts = {}
    for language in languages:
        own = np.random.default_rng([seed, 2, *language.encode()])
        found[language] = {}
        for number, meaning in enumerate(meant):
            other = _drawn(own, shares[number], len(meaning))
            if own.random() >= missing:
                kept = own.random(len(meaning)) < faithful
                found[language][number] = np.where(kept, meaning, other)
    return found


def _drawn(generator: np.random.Generator, share: np.ndarray, length: int) -> np.ndarray:
    topic = np.arange(WORDS) % TOPICS
    chance = FREQUENCY * ((1 - GENERAL) * share[topic] * TOPICS + GENERAL)
    return generator.choice(WORDS, length, p=chance / chance.sum())


def vectors(language: str, dimension: int, noise: float, turned: bool = True) -> np.ndarray:
    """Vectors of all words: one space, blurred and turned in each language (WORDS x dimension)."""
    generator = np.random.default_rng(7)
    topics = generator.normal(size=(TOPICS, dimension))
    space = 1.5 * topics[np.arange(WORDS) % TOPICS] + generator.gamma(0.5, 1, (WORDS, dimension))
    space *= np.linspace(3, 0.5, dimension)
    own = np.random.default_rng([7, *language.encode()])
    turn = np.linalg.qr(own.normal(size=(dimension, dimension)))[0]
    blurred = LENGTH * (space + noise * own.normal(size=space.shape))
    return blurred @ turn if turned else blurred
