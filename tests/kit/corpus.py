"""One made-up corpus in three languages, with planted translations, in every form that is read.

Word i of one language is word i of the others. Concepts are mixtures of topics, the same in all
languages, and topics prefer some words: so documents can be matched by what trains, and by nothing
else but the words that are spelt alike (the last tenth) or begin alike (the tenth before it).
"""

import json
import lzma
from collections.abc import Iterable
from functools import cached_property
from itertools import permutations
from pathlib import Path

import numpy as np

LANGUAGES = ("da", "en", "it")
N_CONCEPTS = 200
N_WORDS = 120
N_TOPICS = 10
LENGTH = 60
DIMENSIONS = 12
ALIKE = N_WORDS // 10  # counted from the end, as is the next
BEGIN_ALIKE = N_WORDS // 5
LABELS = ("art", "law", "sea")


class Corpus:
    """Texts and all that belongs to them."""

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """Per language, word i."""
        return {language: _spelt_words(language) for language in LANGUAGES}

    @cached_property
    def mixtures(self) -> np.ndarray:
        """Concepts x topics, shares."""
        return _generator([]).dirichlet([0.2] * N_TOPICS, N_CONCEPTS)

    @cached_property
    def topics(self) -> np.ndarray:
        """Topics x words, probabilities."""
        return _generator([1]).dirichlet([0.2] * N_WORDS, N_TOPICS)

    @cached_property
    def documents(self) -> dict[str, dict[str, str]]:
        """Per language, text by concept; each language lacks a twentieth of the concepts."""
        return {language: dict(self._documents(language)) for language in LANGUAGES}

    def _documents(self, language: str):
        generator = _generator(_numbers_of(language))
        for concept, mixture in enumerate(self.mixtures):
            numbers = generator.choice(N_WORDS, LENGTH, p=mixture @ self.topics)
            if generator.random() > 0.05:
                yield f"Q{concept:03}", self._text(numbers, language)

    def _text(self, numbers: Iterable[int], language: str) -> str:
        words = self.words[language]
        return " ".join(words[number] for number in numbers)

    @cached_property
    def sentences(self) -> dict[str, list[str]]:
        """Per language, sentences that are each other's translations, word by word."""
        generator = _generator([2])
        topics = generator.integers(N_TOPICS, size=300)
        meanings = [generator.choice(N_WORDS, 8, p=self.topics[topic]) for topic in topics]
        return {language: self._texts(meanings, language) for language in LANGUAGES}

    def _texts(self, meanings: Iterable[Iterable[int]], language: str) -> list[str]:
        return [self._text(numbers, language) for numbers in meanings]

    def labels(self, concept: str) -> str:
        """The class of a concept, by its main topic."""
        number = int(concept.removeprefix("Q"))
        main_topic = self.mixtures[number].argmax()
        return LABELS[main_topic % len(LABELS)]

    @cached_property
    def questions(self) -> dict[str, list[str]]:
        """Per language, two telling words of each topic: its documents answer it."""
        telling = np.argsort(-self.topics, axis=1, kind="stable")[:, :2]
        return {language: self._texts(telling, language) for language in LANGUAGES}

    @cached_property
    def judgements(self) -> list[tuple[int, str]]:
        """Topic and concept, where the topic is the concept's main one."""
        main_topics = self.mixtures.argmax(axis=1).tolist()
        return [(topic, f"Q{concept:03}") for concept, topic in enumerate(main_topics)]

    @cached_property
    def vectors(self) -> dict[str, np.ndarray]:
        """Per language, words x 12: one space, turned for each language and a little blurred.

        A word has how much each topic prefers it, and two numbers of its own.
        """
        n_own = DIMENSIONS - N_TOPICS
        numbers = 0.3 * _generator([3]).normal(size=(N_WORDS, n_own))
        preferences = np.sqrt(self.topics / self.topics.sum(axis=0)).T
        space = np.hstack([preferences, numbers])
        return {language: self._turned(space, language) for language in LANGUAGES}

    def _turned(self, space: np.ndarray, language: str) -> np.ndarray:
        generator = _generator([4] + _numbers_of(language))
        turn, _ = np.linalg.qr(generator.normal(size=(DIMENSIONS, DIMENSIONS)))
        blur = 0.05 * generator.normal(size=space.shape)
        return (space @ turn + blur).astype(np.float32)


CORPUS = Corpus()


def _generator(seeds: list[int]) -> np.random.Generator:
    return np.random.default_rng([1] + seeds)


def _numbers_of(language: str) -> list[int]:
    return list(language.encode())


def _spelt_words(language: str) -> list[str]:
    return [_spelt(number, language) for number in range(N_WORDS)]


def _spelt(number: int, language: str) -> str:
    """Return a word of letters alone; those of the last tenth are the same everywhere."""
    digits = [int(digit) for digit in f"{number:03}"]
    letters = "".join("bdfgklmnpr"[digit] + "aeiou"[digit % 5] for digit in digits)
    if number >= N_WORDS - ALIKE:
        return letters
    if number >= N_WORDS - BEGIN_ALIKE:
        return letters + {"da": "er", "en": "s", "it": "ini"}[language]
    if language == "da":
        return f"o{letters}"
    if language == "en":
        return f"u{letters[::-1]}"
    return f"e{letters[2:]}{letters[:2]}"


def give(folder: Path) -> Path:
    """Write the corpus as everything that a configuration can name; returns the folder.

    {language}.jsonl.xz documents, {language}.txt sentences a line, {a}-{b}.dict a dictionary,
    {a}-{b}.tsv a table of translations, {language}.vec vectors, {language}.labelled.jsonl
    documents with classes, {language}.questions.tsv, {language}.judged.jsonl and qrels an ad hoc
    collection.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        _give_documents(folder, language)
        _give_lines(folder / f"{language}.txt", CORPUS.sentences[language])
        questions = enumerate(CORPUS.questions[language])
        rows = [f"{number}\t{question}" for number, question in questions]
        _give_lines(folder / f"{language}.questions.tsv", rows)
        vectors = _word2vec(CORPUS.words[language], CORPUS.vectors[language])
        _give_lines(folder / f"{language}.vec", vectors)
    judgements = [f"{question} 0 {concept} 1" for question, concept in CORPUS.judgements]
    _give_lines(folder / "qrels", judgements)
    for source, target in permutations(LANGUAGES, 2):
        entries = []
        translations = []
        for word, translation in zip(CORPUS.words[source], CORPUS.words[target], strict=True):
            entries.append(f"{word} {translation}")
            translations.append(f"{word}\t{translation}\t0.9")
        _give_lines(folder / f"{source}-{target}.dict", entries)
        _give_lines(folder / f"{source}-{target}.tsv", translations)
    return folder


def _give_documents(folder: Path, language: str) -> None:
    """Write the documents of a language three times: alone, with classes, as a collection."""
    texts = CORPUS.documents[language]
    documents = []
    labelled = []
    judged = []
    for concept, text in texts.items():
        title = f"{language} {concept}"
        documents.append({"concept": concept, "title": title, "text": text})
        labelled.append({"id": concept, "text": text, "label": CORPUS.labels(concept)})
        judged.append({"id": concept, "text": text})
    with lzma.open(folder / f"{language}.jsonl.xz", "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(document) + "\n" for document in documents))
    _give_lines(folder / f"{language}.labelled.jsonl", map(json.dumps, labelled))
    _give_lines(folder / f"{language}.judged.jsonl", map(json.dumps, judged))


def _give_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines))


def _word2vec(words: list[str], vectors: np.ndarray) -> list[str]:
    """Return the lines of a file of vectors: sizes, then each word and its numbers."""
    lines = [f"{len(words)} {vectors.shape[1]}"]
    for word, row in zip(words, vectors, strict=True):
        lines.append(f"{word} {' '.join(map(str, row))}")
    return lines
