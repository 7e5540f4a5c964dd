"""Made-up languages, about the same things, in the layouts of published texts and vectors.

Words are numbered; texts of several languages are about the same, and so are vectors.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from tests.kit.archives import deb

WORDS, TOPICS = 900, 13
LATIN = "bdgklmnprt"
LETTERS = {"hi": "कगचजटडतदनप", "ru": "бвгдзклмнр"}
FREQUENCY = 1 / np.arange(4, WORDS + 4)  # Zipf's law
GENERAL = 0.4  # share of words that say nothing about the topic

LENGTH = 0.3  # makes vectors of about 2, as published ones are

Texts = dict[str, dict[int, np.ndarray]]
HELP = {"en": "en-US", "zh": "zh-CN"}  # folders of LibreOffice's languages
MATRIX = {"en": "EN", "es": "SP"}  # what Multilingual Reuters calls them
SITTINGS = [
    f"{y}-{m:02}-{d:02}" for y in ("99", "00", "01", "02", "03") for m in (2, 9) for d in (3, 17)
]
FIRE = {"topics": 24, "articles": 160}


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


def lines(path: Path, content: Iterable[str], encoding: str = "utf-8") -> None:
    """Write lines, in a folder that is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in content), encoding)


def help_pages(folder: Path, languages: Iterable[str], n: int = 240) -> None:
    """Packages of LibreOffice's help, each page of six paragraphs."""
    folder.mkdir(parents=True)
    for language, found in texts(languages, n, 72, 0.7, seed=11).items():
        code, pages = HELP.get(language, language), {}
        for page, numbers in found.items():
            parts = np.array_split(numbers, 6)
            body = "".join(f'<p id="par{i}">{said(x, language)}</p>' for i, x in enumerate(parts))
            title = said(numbers[:3], language)
            html = f'<title>{title}</title><div id="DisplayArea">{body}</div>'
            name = f"./usr/share/libreoffice/help/{code}/text/guide/page{page:03}.html"
            pages[name] = html.encode()
        (folder / f"libreoffice-help-{code.lower()}_1_all.deb").write_bytes(deb(pages))


def word_vectors(
    path: str, languages: Iterable[str], dimension: int, noise: float, turned: bool = True
) -> None:
    """Text of word2vec and fastText: sizes, then words by frequency, numerals among them."""
    for language in languages:
        spelt = [word(x, language) if x % 12 else str(1000 + x) for x in range(WORDS)]
        rows = vectors(language, dimension, noise, turned)
        order = np.argsort(
            np.arange(WORDS) + 40 * np.random.default_rng(len(language)).random(WORDS)
        )
        content = (f"{spelt[x]} {' '.join(f'{y:.5f}' for y in rows[x])}" for x in order)
        lines(Path(path.format(language=language)), [f"{WORDS} {dimension}", *content])


def dictionaries(
    folder: Path, pairs: Iterable[tuple[str, str]], name: str, train: str, test: str
) -> None:
    """MUSE's and Dinu et al.'s: lines `source target`; a word may have a second, false one."""
    generator = np.random.default_rng(13)
    numbers = generator.permutation([x for x in range(WORDS) if x % 12])
    for source, target in pairs:
        for part, some in ((train, numbers[:350]), (test, numbers[350:600])):
            answers = [(x, x) for x in some] + [(x, (x + 7) % WORDS) for x in some[::9]]
            content = (f"{word(x, source)} {word(y, target)}" for x, y in sorted(answers))
            lines(folder / name.format(source=source, target=target, part=part), content)


def aligned(path: str, pair: tuple[str, str], n: int, seed: int = 17) -> None:
    """Europarl's parallel files: line k of both is the same sentence, or empty in one of them."""
    found = texts(pair, n, 12, 0.75, seed, missing=0.02)
    for language, of in found.items():
        content = (said(of.get(k, ()), language) for k in range(n))
        lines(Path(path.format(language=language)), content)


def speeches(folder: Path, languages: Iterable[str]) -> None:
    """Europarl's source release: a file for each sitting, of chapters and speakers."""
    each = 24  # speeches of a sitting
    for language, found in texts(languages, each * len(SITTINGS), 110, 0.35, seed=19).items():
        for number, date in enumerate(SITTINGS):
            content = []
            for k in range(each):
                content += [f"<CHAPTER ID={k // 8 + 1}>", "Agenda"] * (k % 8 == 0)
                if (spoken := found.get(number * each + k)) is not None:
                    halves = [said(x, language) for x in np.array_split(spoken, 2)]
                    content += [f'<SPEAKER ID={k % 8 + 1} NAME="N">', halves[0], "<P>", halves[1]]
            lines(folder / language / f"ep-{date}.txt", content, "latin-1")


def matrices(folder: Path, n: int = 420) -> None:
    """Multilingual Reuters: class and weights of numbered words; a file for each translation."""
    drawn = {x: texts(MATRIX, n, 40, 0.5, seed=23 + i, missing=0) for i, x in enumerate(MATRIX)}
    for k, original in enumerate(MATRIX):
        labels = [f"C{x % 6}" for x in mixtures(n, 23 + k).argmax(1)]
        for language, found in drawn[original].items():
            place = folder / MATRIX[language] / f"Index_{MATRIX[original]}-{MATRIX[language]}"
            lines(place, (_weighed(*x) for x in zip(labels, found.values(), strict=True)))


def _weighed(label: str, numbers: np.ndarray) -> str:
    found, counts = np.unique(numbers, return_counts=True)
    weights = np.log1p(counts) * np.log(2 + found)  # the more frequent, the smaller
    return " ".join([label, *(f"{x}:{y:.4f}" for x, y in zip(found + 1, weights, strict=True))])


def fire(folder: Path, n: int = 600) -> None:
    """HindEnCorp's sentences; titles; FIRE's articles, topics, judgements; the same by MT."""
    pair = ("en", "hi")
    found = texts(pair, n, 10, 0.7, seed=29, missing=0)
    rows = {x: [said(found[x][k], x) for k in range(n)] for x in pair}
    parts = ["train"] * (n - 180) + ["validation"] * 60 + ["test"] * 120
    spoilt = texts(["en", "hi"], n, 10, 0.45, seed=29, missing=0)["en"]  # by a machine
    machine = [said(spoilt[k], "hi") for k in range(n)]
    for name, first in (("sentences", rows["en"]), ("sentences_mt", machine)):
        content = (
            f"{parts[k]}/{k + 1}\t{x}\t{y}"
            for k, (x, y) in enumerate(zip(first, rows["hi"], strict=True))
        )
        lines(folder / f"{name}.tsv", ["concept\ten\thi", *content])
    titles = texts(["hi"], 200, 6, 0.7, seed=31, missing=0)["hi"]
    lines(folder / "titles.hi.tsv", (f"{k}\t{said(x, 'hi')}" for k, x in titles.items()))
    for language in pair:
        lines(folder / f"stop_words.{language}.txt", [word(1, language)])
        lines(folder / f"stop_words_mt.{language}.txt", [word(1, "hi")])
    _judged(folder, pair)


def _judged(folder: Path, pair: tuple[str, str]) -> None:
    """A topic is about the first topic of an article; articles about the same are relevant."""
    count = FIRE["articles"]
    articles = texts(["hi"], count, 40, 0.6, seed=37, missing=0)["hi"]
    about = mixtures(count, 37)
    names = [f"navbharat-{k}" for k in range(count)]
    docs = (
        f"<DOC>\n<DOCNO>{names[k]}</DOCNO>\n<TEXT>\n{said(x, 'hi')}\n</TEXT>\n</DOC>"
        for k, x in articles.items()
    )
    lines(folder / "articles.hi.trec", docs)
    asked = texts(pair, FIRE["topics"], 6, 0.7, seed=37, missing=0)  # like the first articles
    unknown = {k: f"zz{'abcdefgh'[k]} " * 6 for k in range(2)}  # two topics of no known word
    for name, spell in (("topics", None), ("topics_mt", "hi")):
        for language in pair:
            content = []
            for k, numbers in asked[language].items():
                title = unknown.get(k, "") + said(numbers, spell or language)
                content += [f'<top lang="{language}">', f"<num>{126 + k}</num>"]
                content += [f"<title>{title}</title>", "<desc>x</desc>", "</top>"]
            lines(
                folder / f"{name}.{language}.xml",
                ['<?xml version="1.0"?>', "<topics>", *content, "</topics>"],
            )
    near = about[: FIRE["topics"]] @ about.T
    judged = (f"{126 + k} 0 {names[d]} {int(near[k, d] > 0.4)}" for k, d in np.ndindex(near.shape))
    lines(folder / "articles.hi.qrels", judged)


def json_lines(path: str, languages: Iterable[str], n: int) -> None:
    """Documents of one's own."""
    for language, found in texts(languages, n, 60, 0.3, seed=43).items():
        content = (
            json.dumps({"concept": f"Q{k}", "title": f"T {k}", "text": said(x, language)})
            for k, x in found.items()
        )
        lines(Path(path.format(language=language)), content)


def descriptions(folder: Path, languages: Iterable[str], n: int = 240) -> None:
    """Debian's package descriptions: a checksum of the English text, a summary, sentences."""
    for language, found in texts(languages, n, 60, 0.7, seed=47, missing=0.1).items():
        content = []
        for k, numbers in found.items():
            content += [f"Package: p{k:03}", f"Description-md5: {k:032}"]
            content += [f"Description-{language}: {said(numbers[:3], language)}"]
            content += [f" {said(x, language).capitalize()}." for x in np.array_split(numbers, 6)]
            content += [""]
        lines(folder / f"Translation-{language}", content)


def tables(pattern: str, pairs: Iterable[tuple[str, str]]) -> None:
    """Word translation tables: source, target, p(target | source); a sixth of p goes elsewhere."""
    for source, target in pairs:
        content = (
            f"{word(x, source)}\t{word(y, target)}\t{p}"
            for x in range(WORDS)
            for y, p in ((x, 0.8), ((x + 5) % WORDS, 0.2))
        )
        lines(Path(pattern.format(source=source, target=target)), content)


def shared_space(folder: Path, languages: Iterable[str], dimension: int = 24) -> None:
    """Vectors and a static encoder that others aligned."""
    from tests.tiny_encoders import write_static

    every = {}
    for language in languages:
        rows = vectors(language, dimension, 0.6, turned=False).round(4).tolist()
        known = {word(x, language): row for x, row in enumerate(rows)}
        every |= known
        content = (f"{x} {' '.join(map(str, row))}" for x, row in known.items())
        lines(folder / f"aligned.{language}.vec", content)
    write_static(folder / "encoder", every)
