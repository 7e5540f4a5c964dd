"""Made-up languages, about the same things, in the layouts of published texts and vectors.

Words are numbered; texts of several languages are about the same, and so are vectors.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from tests.kit.archives import deb

WORDS = 900
TOPICS = 13
LATIN = "bdgklmnprt"
LETTERS = {"hi": "कगचजटडतदनप", "ru": "бвгдзклмнр"}
FREQUENCY = 1 / np.arange(4, WORDS + 4)  # Zipf's law
GENERAL = 0.4  # share of words that say nothing about the topic

LENGTH = 0.3  # makes vectors of about 2, as published ones are

Texts = dict[str, dict[int, np.ndarray]]
HELP = {"en": "en-US", "zh": "zh-CN"}  # folders of LibreOffice's languages
MATRIX = {"en": "EN", "es": "SP"}  # what Multilingual Reuters calls them
YEARS = ("99", "00", "01", "02", "03")
SITTINGS = [f"{year}-{day}" for year, day in product(YEARS, ("02-03", "02-17", "09-03", "09-17"))]
SPEECHES = 24  # of a sitting
FIRE = {"topics": 24, "articles": 160}
FIRST_TOPIC = 126  # the number of FIRE's first


def word(number: int, language: str) -> str:
    """Spell a word: a tenth are alike in all languages, a tenth begin alike, others differ."""
    digits = [int(digit) for digit in f"{number:03}"]
    latin = "".join(LATIN[digit] for digit in digits)
    if number % 10 == 0:
        return f"x{latin}"
    if number % 10 == 1:
        return f"yo{latin}{language}"
    if language in LETTERS:
        return "".join(LETTERS[language][digit] for digit in digits)
    return f"{language}{latin}"


def said(numbers: Iterable[int], language: str) -> str:
    """Spell a text."""
    return " ".join(word(number, language) for number in numbers)


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
    meanings = []
    for shares_of_text, length_of_text in zip(shares, lengths, strict=True):
        meanings.append(_drawn(common, shares_of_text, length_of_text))
    texts_of_languages: Texts = {}
    for language in languages:
        generator = np.random.default_rng([seed, 2] + list(language.encode()))
        texts_of_languages[language] = {}
        for number, meaning in enumerate(meanings):
            free = _drawn(generator, shares[number], len(meaning))
            if generator.random() >= missing:
                translates = generator.random(len(meaning)) < faithful
                text = np.where(translates, meaning, free)
                texts_of_languages[language][number] = text
    return texts_of_languages


def _drawn(generator: np.random.Generator, shares: np.ndarray, length: int) -> np.ndarray:
    """Draw words of a text by their frequency and its topics."""
    topic_of_word = np.arange(WORDS) % TOPICS
    preference = (1 - GENERAL) * shares[topic_of_word] * TOPICS + GENERAL
    weight = FREQUENCY * preference
    return generator.choice(WORDS, length, p=weight / weight.sum())


def vectors(language: str, dimension: int, noise: float, turned: bool = True) -> np.ndarray:
    """Vectors of all words: one space, blurred and turned in each language (WORDS x dimension)."""
    generator = np.random.default_rng(7)
    topics = generator.normal(size=(TOPICS, dimension))
    topic_of_word = np.arange(WORDS) % TOPICS
    space = 1.5 * topics[topic_of_word] + generator.gamma(0.5, 1, (WORDS, dimension))
    space *= np.linspace(3, 0.5, dimension)
    of_language = np.random.default_rng([7] + list(language.encode()))
    turn, _ = np.linalg.qr(of_language.normal(size=(dimension, dimension)))
    blur = noise * of_language.normal(size=space.shape)
    blurred = LENGTH * (space + blur)
    return blurred @ turn if turned else blurred


def lines(path: Path, content: Iterable[str], encoding: str = "utf-8") -> None:
    """Write lines, in a folder that is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in content), encoding)


def help_pages(folder: Path, languages: Iterable[str], n: int = 240) -> None:
    """Packages of LibreOffice's help, each page of six paragraphs."""
    folder.mkdir(parents=True)
    for language, texts_of_language in texts(languages, n, 72, 0.7, seed=11).items():
        code = HELP.get(language, language)
        pages = {}
        for page, numbers in texts_of_language.items():
            name = f"./usr/share/libreoffice/help/{code}/text/guide/page{page:03}.html"
            pages[name] = _help_page(numbers, language).encode()
        (folder / f"libreoffice-help-{code.lower()}_1_all.deb").write_bytes(deb(pages))


def _help_page(numbers: np.ndarray, language: str) -> str:
    body = ""
    for paragraph, words in enumerate(np.array_split(numbers, 6)):
        body += f'<p id="par{paragraph}">{said(words, language)}</p>'
    title = said(numbers[:3], language)
    return f'<title>{title}</title><div id="DisplayArea">{body}</div>'


def word_vectors(
    path: str, languages: Iterable[str], dimension: int, noise: float, turned: bool = True
) -> None:
    """Text of word2vec and fastText: sizes, then words by frequency, numerals among them."""
    for language in languages:
        rows = vectors(language, dimension, noise, turned)
        jitter = 40 * np.random.default_rng(len(language)).random(WORDS)
        content = [f"{WORDS} {dimension}"]
        for number in np.argsort(np.arange(WORDS) + jitter):
            spelt = word(number, language) if number % 12 else str(1000 + number)
            coordinates = " ".join(f"{coordinate:.5f}" for coordinate in rows[number])
            content.append(f"{spelt} {coordinates}")
        lines(Path(path.format(language=language)), content)


@dataclass(frozen=True)
class DictionaryFiles:
    """How files of dictionaries are called: with {source}, {target} and {part}, and its values."""

    name: str
    train: str
    test: str


def dictionaries(folder: Path, pairs: Iterable[tuple[str, str]], files: DictionaryFiles) -> None:
    """MUSE's and Dinu et al.'s: lines `source target`; a word may have a second, false one."""
    generator = np.random.default_rng(13)
    spelt_words = [number for number in range(WORDS) if number % 12]  # the others are numerals
    numbers = generator.permutation(spelt_words)
    numbers_of_parts = {files.train: numbers[:350], files.test: numbers[350:600]}
    for source, target in pairs:
        for part, translated in numbers_of_parts.items():
            answers = [(number, number) for number in translated]
            answers += [(number, (number + 7) % WORDS) for number in translated[::9]]
            content = []
            for number, answer in sorted(answers):
                content.append(f"{word(number, source)} {word(answer, target)}")
            name = files.name.format(source=source, target=target, part=part)
            lines(folder / name, content)


def aligned(path: str, pair: tuple[str, str], n: int, seed: int = 17) -> None:
    """Europarl's parallel files: line k of both is the same sentence, or empty in one of them."""
    drawn = texts(pair, n, 12, 0.75, seed, missing=0.02)
    for language, sentences in drawn.items():
        content = [said(sentences.get(number, ()), language) for number in range(n)]
        lines(Path(path.format(language=language)), content)


def speeches(folder: Path, languages: Iterable[str]) -> None:
    """Europarl's source release: a file for each sitting, of chapters and speakers."""
    drawn = texts(languages, SPEECHES * len(SITTINGS), 110, 0.35, seed=19)
    for language, texts_of_language in drawn.items():
        for number, sitting in enumerate(SITTINGS):
            first = number * SPEECHES
            spoken = [texts_of_language.get(first + speech) for speech in range(SPEECHES)]
            content = _sitting(spoken, language)
            lines(folder / language / f"ep-{sitting}.txt", content, "latin-1")


def _sitting(spoken: Iterable[np.ndarray | None], language: str) -> list[str]:
    """Return the lines of a sitting, with eight speakers a chapter; None for a missing speech."""
    content = []
    for speech, numbers in enumerate(spoken):
        chapter, speaker = divmod(speech, 8)
        if speaker == 0:
            content += [f"<CHAPTER ID={chapter + 1}>", "Agenda"]
        if numbers is not None:
            first_half, second_half = np.array_split(numbers, 2)
            content.append(f'<SPEAKER ID={speaker + 1} NAME="N">')
            content += [said(first_half, language), "<P>", said(second_half, language)]
    return content


def matrices(folder: Path, n: int = 420) -> None:
    """Multilingual Reuters: class and weights of numbered words; a file for each translation."""
    for seed, original in enumerate(MATRIX, start=23):
        topics = mixtures(n, seed).argmax(axis=1)
        for language, drawn in texts(MATRIX, n, 40, 0.5, seed=seed, missing=0).items():
            name = f"Index_{MATRIX[original]}-{MATRIX[language]}"
            content = [_weighed(f"C{topics[number] % 6}", drawn[number]) for number in range(n)]
            lines(folder / MATRIX[language] / name, content)


def _weighed(label: str, numbers: np.ndarray) -> str:
    """Return a line: the class, and each word by number with its weight."""
    unique, counts = np.unique(numbers, return_counts=True)
    weights = np.log1p(counts) * np.log(2 + unique)  # the more frequent, the smaller
    line = label
    for number, weight in zip(unique, weights, strict=True):
        line += f" {number + 1}:{weight:.4f}"
    return line


def _sentences(texts_of_language: Mapping[int, np.ndarray], language: str) -> list[str]:
    """Spell texts in the order of their numbers."""
    return [said(texts_of_language[number], language) for number in sorted(texts_of_language)]


def fire(folder: Path, n: int = 600) -> None:
    """HindEnCorp's sentences; titles; FIRE's articles, topics, judgements; the same by MT."""
    pair = ("en", "hi")
    drawn = texts(pair, n, 10, 0.7, seed=29, missing=0)
    spoilt = texts(pair, n, 10, 0.45, seed=29, missing=0)  # by a machine
    hindi = _sentences(drawn["hi"], "hi")
    english = _sentences(drawn["en"], "en")
    machine = _sentences(spoilt["en"], "hi")
    _parallel_sentences(folder / "sentences.tsv", english, hindi)
    _parallel_sentences(folder / "sentences_mt.tsv", machine, hindi)
    titles = texts(["hi"], 200, 6, 0.7, seed=31, missing=0)
    rows = []
    for number, title in titles["hi"].items():
        spelt = said(title, "hi")
        rows.append(f"{number}\t{spelt}")
    lines(folder / "titles.hi.tsv", rows)
    for language in pair:
        lines(folder / f"stop_words.{language}.txt", [word(1, language)])
        lines(folder / f"stop_words_mt.{language}.txt", [word(1, "hi")])
    _articles(folder)
    for language in pair:
        _topics(folder / f"topics.{language}.xml", pair, language, language)
        _topics(folder / f"topics_mt.{language}.xml", pair, language, "hi")


def _parallel_sentences(path: Path, english: list[str], hindi: list[str]) -> None:
    """Write sentences of which the last 180 validate and test."""
    n = len(hindi)
    parts = ["train"] * (n - 180) + ["validation"] * 60 + ["test"] * 120
    content = ["concept\ten\thi"]
    for number, part in enumerate(parts):
        content.append(f"{part}/{number + 1}\t{english[number]}\t{hindi[number]}")
    lines(path, content)


def _articles(folder: Path) -> None:
    """A topic is about the first topic of an article; articles about the same are relevant."""
    count = FIRE["articles"]
    names = [f"navbharat-{number}" for number in range(count)]
    content = []
    for number, article in texts(["hi"], count, 40, 0.6, seed=37, missing=0)["hi"].items():
        text = f"<TEXT>\n{said(article, 'hi')}\n</TEXT>"
        content.append(f"<DOC>\n<DOCNO>{names[number]}</DOCNO>\n{text}\n</DOC>")
    lines(folder / "articles.hi.trec", content)
    shares = mixtures(count, 37)
    nearness = shares[: FIRE["topics"]] @ shares.T
    judgements = []
    for topic, article in np.ndindex(nearness.shape):
        grade = int(nearness[topic, article] > 0.4)
        judgements.append(f"{FIRST_TOPIC + topic} 0 {names[article]} {grade}")
    lines(folder / "articles.hi.qrels", judgements)


def _topics(path: Path, pair: tuple[str, str], language: str, spelt_in: str) -> None:
    """Write what is asked for in a language, spelt in it or in that of a translation."""
    drawn = texts(pair, FIRE["topics"], 6, 0.7, seed=37, missing=0)  # like the first articles
    unknown = {0: "zza " * 6, 1: "zzb " * 6}  # two topics of no known word
    content = ['<?xml version="1.0"?>', "<topics>"]
    for number, numbers in drawn[language].items():
        title = unknown.get(number, "") + said(numbers, spelt_in)
        content += [f'<top lang="{language}">', f"<num>{FIRST_TOPIC + number}</num>"]
        content += [f"<title>{title}</title>", "<desc>x</desc>", "</top>"]
    content.append("</topics>")
    lines(path, content)


def json_lines(path: str, languages: Iterable[str], n: int) -> None:
    """Documents of one's own."""
    for language, drawn in texts(languages, n, 60, 0.3, seed=43).items():
        content = []
        for number, numbers in drawn.items():
            text = said(numbers, language)
            document = {"concept": f"Q{number}", "title": f"T {number}", "text": text}
            content.append(json.dumps(document))
        lines(Path(path.format(language=language)), content)


def pages(folder: Path, languages: Iterable[str], n: int) -> None:
    """A folder a language, a page of Markdown a document, some of them in a folder below."""
    for language, drawn in texts(languages, n, 60, 0.3, seed=53).items():
        for number, numbers in drawn.items():
            below = "guide" if number % 2 else "."
            content = ["---", f"title: T {number}", "---", "", said(numbers, language)]
            lines(folder / language / below / f"page{number}.md", content)


def descriptions(folder: Path, languages: Iterable[str], n: int = 240) -> None:
    """Debian's package descriptions: a checksum of the English text, a summary, sentences."""
    for language, drawn in texts(languages, n, 60, 0.7, seed=47, missing=0.1).items():
        content = []
        for package, numbers in drawn.items():
            content += [f"Package: p{package:03}", f"Description-md5: {package:032}"]
            content += [f"Description-{language}: {said(numbers[:3], language)}"]
            for sentence in np.array_split(numbers, 6):
                content.append(f" {said(sentence, language).capitalize()}.")
            content.append("")
        lines(folder / f"Translation-{language}", content)


def tables(pattern: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Word translation tables: source, target, p(target | source); a sixth of p goes elsewhere."""
    for source, target in pairs:
        content = []
        for number in range(WORDS):
            spelt = word(number, source)
            content.append(f"{spelt}\t{word(number, target)}\t0.8")
            content.append(f"{spelt}\t{word((number + 5) % WORDS, target)}\t0.2")
        lines(Path(pattern.format(source=source, target=target)), content)


def shared_space(folder: Path, languages: Iterable[str], dimension: int = 24) -> None:
    """Vectors and a static encoder that others aligned."""
    from tests.tiny_encoders import write_static

    rows_of_all: dict[str, list[float]] = {}
    for language in languages:
        rows = vectors(language, dimension, 0.6, turned=False).round(4).tolist()
        content = []
        for number, row in enumerate(rows):
            spelt = word(number, language)
            rows_of_all[spelt] = row
            coordinates = " ".join(map(str, row))
            content.append(f"{spelt} {coordinates}")
        lines(folder / f"aligned.{language}.vec", content)
    write_static(folder / "encoder", rows_of_all)
