"""A made-up aligned corpus of any size: the same subjects in languages with their own words.

A concept has two subjects out of many; half of an article's words are from them and the other
half from the whole language, by Zipf's law. Words are made of syllables, which differ by language.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

WORDS, SUBJECTS, WORDS_OF_SUBJECT = 20_000, 400, 120
BATCH = 1_000  # articles
COVERAGE = 0.95  # how many of the concepts a language has an article about
CONSONANTS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "", "h")
VOWELS = ("a", "e", "i", "o", "u", "é", "ø", "ä")


def words(language: str, count: int = WORDS) -> np.ndarray:
    """Return distinct words of 2 to 4 syllables, in the language's own order (array of str)."""
    generator = np.random.default_rng([1, *language.encode()])
    syllables = [consonant + vowel for consonant in CONSONANTS for vowel in VOWELS]
    drawn = generator.integers(0, len(syllables), (2 * count, 4)).tolist()
    lengths = generator.integers(2, 5, 2 * count).tolist()
    found = dict.fromkeys(
        "".join(syllables[number] for number in row[:length])
        for row, length in zip(drawn, lengths, strict=True)
    )
    return np.array(list(found)[:count])


def articles(language: str, count: int, seed: int = 0) -> Iterator[dict[str, str]]:
    """Give the articles of one language about up to `count` concepts Q1, Q2, ...

    Args:
        language: any code; decides on the words.
        count: of concepts.
        seed: decides on what the concepts are about, which is the same in all languages.
    """
    vocabulary = words(language)
    shared = np.random.default_rng(seed)
    subject_words = shared.integers(50, WORDS, (SUBJECTS, WORDS_OF_SUBJECT))
    own = np.random.default_rng([seed, *language.encode()])
    cumulated = np.cumsum(1 / np.arange(1, WORDS + 1))
    for first in range(0, count, BATCH):
        size = min(BATCH, count - first)
        subjects = shared.integers(0, SUBJECTS, (size, 2))
        lengths = own.integers(80, 400, size)
        written = own.random(size) < COVERAGE
        for row in np.flatnonzero(written):
            half = int(lengths[row]) // 2
            about = subject_words[own.choice(subjects[row], half), own.integers(0, 120, half)]
            general = np.searchsorted(cumulated, own.random(half) * cumulated[-1])
            drawn = vocabulary[own.permutation(np.concatenate([about, general]))]
            yield {
                "concept": f"Q{first + row + 1}",
                "title": f"{drawn[0].capitalize()} {first + row + 1}",
                "text": _sentences(drawn.tolist()),
            }


def _sentences(drawn: list[str]) -> str:
    """Sentences of twelve words, paragraphs of five sentences."""
    sentences = [" ".join(drawn[i : i + 12]).capitalize() + "." for i in range(0, len(drawn), 12)]
    return "\n".join(" ".join(sentences[i : i + 5]) for i in range(0, len(sentences), 5))


def write(path: Path, language: str, count: int, seed: int = 0) -> int:
    """Write {language}.jsonl.gz, the same bytes each time; return the number of articles."""
    count_written = 0
    with (
        path.open("wb") as plain,
        gzip.GzipFile("", "wb", compresslevel=1, fileobj=plain, mtime=0) as file,
    ):
        for entry in articles(language, count, seed):
            count_written += 1
            file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
    return count_written
