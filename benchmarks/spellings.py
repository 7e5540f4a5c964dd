"""Made-up words, for a prior over spellings: as many beginnings in common as real ones have.

    from benchmarks import spellings
    words = spellings.words(["a", "b"], 20_000)

Words are a stem and an ending. Stems have one to four syllables; half of them are a language's own,
half are there for all languages. Of the help pages' 11,000 words in four languages the prior keeps
0.31 columns and 1.5 entries a word; of 20,000 made-up words in each of two languages 0.37 and 1.5.
"""

from collections.abc import Sequence

import numpy as np

CONSONANTS, VOWELS = list("bcdfghjklmnpqrstvwxz"), list("aeiouy")
SYLLABLES = (0.1, 0.35, 0.35, 0.2)  # shares of stems with one to four
SHARED = 0.5  # of the stems
PER_STEM = 0.55  # stems for each word
ENDINGS = 12  # of a language


def words(languages: Sequence[str], vocabulary: int, seed: int = 0) -> dict[str, list[str]]:
    """Make up different words for each language.

    Args:
        languages: their codes.
        vocabulary: words of each.
        seed: the same seed gives the same words.
    """
    generator = np.random.default_rng(seed)
    n = round(PER_STEM * vocabulary)
    common = _stems(n, generator)
    return {x: _language(common, n, vocabulary, generator) for x in languages}


def _language(
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
