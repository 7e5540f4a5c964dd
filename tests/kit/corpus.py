"""One made-up corpus in three languages, with planted translations, in every form that is read.

Word i of one language is word i of the others. Concepts are mixtures of topics, the same in all
languages, and topics prefer some words: so documents can be matched by what trains, and by nothing
else but the words that are spelt alike (the last tenth) or begin alike (the tenth before it).
"""

import json
import lzma
from functools import cached_property
from itertools import permutations
from pathlib import Path

import numpy as np

LANGUAGES = ("da", "en", "it")
N_CONCEPTS, N_WORDS, N_TOPICS, LENGTH, DIMENSIONS = 200, 120, 10, 60, 12
ALIKE, BEGIN_ALIKE = N_WORDS // 10, N_WORDS // 5  # counted from the end
LABELS = ("art", "law", "sea")


class Corpus:
    """Texts and all that belongs to them."""

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """Per language, word i."""
        return {x: [_spelt(i, x) for i in range(N_WORDS)] for x in LANGUAGES}

    @cached_property
    def mixtures(self) -> np.ndarray:
        """Concepts x topics, shares."""
        return _generator().dirichlet([0.2] * N_TOPICS, N_CONCEPTS)

    @cached_property
    def topics(self) -> np.ndarray:
        """Topics x words, probabilities."""
        return _generator(1).dirichlet([0.2] * N_WORDS, N_TOPICS)

    @cached_property
    def documents(self) -> dict[str, dict[str, str]]:
        """Per language, text by concept; each language lacks a twentieth of the concepts."""
        return {x: dict(self._documents(x)) for x in LANGUAGES}

    def _documents(self, language: str):
        generator = _generator(*language.encode())
        for concept, mixture in enumerate(self.mixtures):
            numbers = generator.choice(N_WORDS, LENGTH, p=mixture @ self.topics)
            if generator.random() > 0.05:
                yield f"Q{concept:03}", " ".join(self.words[language][i] for i in numbers)

    @cached_property
    def sentences(self) -> dict[str, list[str]]:
        """Per language, sentences that are each other's translations, word by word."""
        generator = _generator(2)
        topics = generator.integers(N_TOPICS, size=300)
        numbers = [generator.choice(N_WORDS, 8, p=self.topics[t]) for t in topics]
        return {x: [" ".join(self.words[x][i] for i in row) for row in numbers] for x in LANGUAGES}

    def labels(self, concept: str) -> str:
        """The class of a concept, by its main topic."""
        return LABELS[self.mixtures[int(concept[1:])].argmax() % len(LABELS)]

    @cached_property
    def questions(self) -> dict[str, list[str]]:
        """Per language, two telling words of each topic: its documents answer it."""
        best = np.argsort(-self.topics, axis=1, kind="stable")[:, :2]
        return {x: [" ".join(self.words[x][i] for i in row) for row in best] for x in LANGUAGES}

    @cached_property
    def judgements(self) -> list[tuple[int, str]]:
        """Topic and concept, where the topic is the concept's main one."""
        return [(int(row.argmax()), f"Q{i:03}") for i, row in enumerate(self.mixtures)]

    @cached_property
    def vectors(self) -> dict[str, np.ndarray]:
        """Per language, words x 12: one space, turned for each language and a little blurred.

        A word has how much each topic prefers it, and two numbers of its own.
        """
        own = 0.3 * _generator(3).normal(size=(N_WORDS, DIMENSIONS - N_TOPICS))
        shares = np.sqrt(self.topics / self.topics.sum(axis=0)).T
        return {x: self._turned(np.hstack([shares, own]), x) for x in LANGUAGES}

    def _turned(self, common: np.ndarray, language: str) -> np.ndarray:
        generator = _generator(4, *language.encode())
        turn, _ = np.linalg.qr(generator.normal(size=(DIMENSIONS, DIMENSIONS)))
        return (common @ turn + 0.05 * generator.normal(size=common.shape)).astype(np.float32)


CORPUS = Corpus()


def _generator(*more: int) -> np.random.Generator:
    return np.random.default_rng([1, *more])


def _spelt(number: int, language: str) -> str:
    """A word of letters alone; those of the last tenth are the same everywhere."""
    letters = "".join(
        "bdfgklmnpr"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{number:03}"
    )
    if number >= N_WORDS - ALIKE:
        return letters
    if number >= N_WORDS - BEGIN_ALIKE:
        return letters + {"da": "er", "en": "s", "it": "ini"}[language]
    turned = {"da": letters, "en": letters[::-1], "it": letters[2:] + letters[:2]}[language]
    return {"da": "o", "en": "u", "it": "e"}[language] + turned


def give(folder: Path) -> Path:
    """Write the corpus as everything that a configuration can name; returns the folder.

    {language}.jsonl.xz documents, {language}.txt sentences a line, {a}-{b}.dict a dictionary,
    {a}-{b}.tsv a table of translations, {language}.vec vectors, {language}.labelled.jsonl
    documents with classes, {language}.questions.tsv, {language}.judged.jsonl and qrels an ad hoc
    collection.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for x in LANGUAGES:
        found = CORPUS.documents[x].items()
        lines = [{"concept": c, "title": f"{x} {c}", "text": text} for c, text in found]
        with lzma.open(folder / f"{x}.jsonl.xz", "wt", encoding="utf-8") as file:
            file.write(_lines(lines))
        (folder / f"{x}.txt").write_text("\n".join(CORPUS.sentences[x]) + "\n")
        labelled = [{"id": c, "text": t, "label": CORPUS.labels(c)} for c, t in found]
        (folder / f"{x}.labelled.jsonl").write_text(_lines(labelled))
        (folder / f"{x}.judged.jsonl").write_text(_lines([{"id": c, "text": t} for c, t in found]))
        asked = enumerate(CORPUS.questions[x])
        (folder / f"{x}.questions.tsv").write_text("".join(f"{i}\t{q}\n" for i, q in asked))
        (folder / f"{x}.vec").write_text(_word2vec(CORPUS.words[x], CORPUS.vectors[x]))
    (folder / "qrels").write_text("".join(f"{q} 0 {c} 1\n" for q, c in CORPUS.judgements))
    for a, b in permutations(LANGUAGES, 2):
        pairs = list(zip(CORPUS.words[a], CORPUS.words[b], strict=True))
        (folder / f"{a}-{b}.dict").write_text("".join(f"{s} {t}\n" for s, t in pairs))
        (folder / f"{a}-{b}.tsv").write_text("".join(f"{s}\t{t}\t0.9\n" for s, t in pairs))
    return folder


def _lines(entries: list[dict]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def _word2vec(words: list[str], vectors: np.ndarray) -> str:
    rows = (f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, vectors, strict=True))
    return f"{len(words)} {vectors.shape[1]}\n" + "".join(rows)
