"""Feeds made-up and mutilated wikitext to the scanner; prints the slowest pages.

    .venv/bin/python -m benchmarks.fuzz_wikitext --dumps FOLDER --minutes 10 [--seed 0]

First come the malformed pages on which extractors hang: each atom of markup alone, and brackets
nested, for as long as the longest page. Then pages are drawn at random: from a grammar (nested,
broken, repeated markup), or real ones with pieces cut, doubled, exchanged or replaced by markup.
Every page must come through without an exception, in under a second of CPU time, in no more steps
than characters, without growing; so must its text. What fails is written to --failures.
"""

import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.wikimedia_samples import arguments, articles
from cr5.corpora.wikimedia.wikitext.clean import MOST_CHARACTERS, clean
from cr5.corpora.wikimedia.wikitext.namespaces import Namespaces

ATOMS = [
    *("{{", "}}", "[[", "]]", "{|", "|}", "\n{|", "\n|}", "\n|-", "\n|", "\n!", "!!", "||", "|"),
    *("<ref>", "</ref>", "<ref name=a/>", "<ref name=", "<nowiki>", "</nowiki>", "<!--", "-->"),
    *("<math>", "</math>", "<br>", "<", ">", "</", "<div style='a'>", "</div>", "<gallery>"),
    *("''", "'''", "'''''", "'", "\n==", "==\n", "=", "\n* ", "\n:", "\n;", "\n----", "\n\n", "\n"),
    *("[http://a.b c]", "[http://", "http://", "://", "[", "]", "__TOC__", "__", "-{", "}-", "&"),
    *("&nbsp;", "&#x1F600;", "&#", ";", "File:a.jpg|thumb|", "Category:", "de:", ":", "#", "lang|"),
    *(
        "nowrap|",
        "{{lang|en|",
        "{{quote|",
        "[[File:a|",
        "[[a|b]]",
        "{{!}}",
        "{{{",
        "}}}",
        "\t",
        " ",
    ),
    *("word", "Việt", "京", "😀", "\u0301", "\x0b", "\x0e", "\u2028", "\u00a0", "İ", "a=b"),
]
PAIRS = [
    *(("{{a|", "}}"), ("{{lang|en|x", "}}"), ("{{hlist|a|", "|b}}"), ("{{nowrap|[[a|", "]]}}")),
    *(("[[a|", "]]"), ("[[File:a|x", "]]"), ("\n{|\n|x", "\n|}"), ("<ref>", "</ref>")),
    *(
        ("<nowiki>", "</nowiki>"),
        ("<div>", "</div>"),
        ("-{", "}-"),
        ("'''", "'''"),
        ("{{[[", "}}]]"),
    ),
]
SLOW = 1.0  # CPU-seconds
GROWTH = 10  # characters


def malformed() -> Iterator[str]:
    """The pages that are not left to chance."""
    for atom in ATOMS:
        yield atom * 50_000
        yield atom * (MOST_CHARACTERS // len(atom))
        yield "\n".join([atom] * (MOST_CHARACTERS // (len(atom) + 1)))
    for opening, closing in PAIRS:
        for depth in (5_000, MOST_CHARACTERS // len(opening + closing + "x")):
            yield opening * depth + "x" + closing * depth


def grammar(generator: np.random.Generator) -> str:
    """A page of few kinds of atoms, so that they interact; sometimes repeated many times."""
    size = int(2 ** generator.uniform(4, 16))
    kinds = generator.choice(len(ATOMS), int(generator.integers(1, 8)))
    text = "".join(ATOMS[i] for i in generator.choice(kinds, size))
    repeat = int(2 ** generator.uniform(0, 8)) if generator.random() < 0.3 else 1
    return (text * repeat)[:MOST_CHARACTERS]


def mutation(generator: np.random.Generator, sample: list[str]) -> str:
    """A real page with pieces cut, doubled, taken from another page or replaced by markup."""
    text = sample[generator.integers(len(sample))]
    for _ in range(int(2 ** generator.uniform(0, 8))):
        start, end = np.sort(generator.integers(0, len(text) + 1, 2))
        end = min(end, start + int(2 ** generator.uniform(0, 12)))
        kind = generator.integers(4)
        if kind == 0:
            piece = ""
        elif kind == 1:
            piece = text[start:end] * int(generator.integers(2, 6))
        elif kind == 2:
            other = sample[generator.integers(len(sample))]
            at = int(generator.integers(0, len(other) + 1))
            piece = other[at : at + int(end - start)]
        else:
            piece = ATOMS[generator.integers(len(ATOMS))] * int(2 ** generator.uniform(0, 12))
        text = text[:start] + piece + text[end:]
    return text[:MOST_CHARACTERS]


def fault(text: str, namespaces: Namespaces) -> tuple[float, str]:
    """CPU-seconds that a page takes, and what is wrong with it, "" if nothing."""
    start = time.process_time()
    try:
        result = clean(text, namespaces)
    except Exception:
        return time.process_time() - start, traceback.format_exc()
    taken = time.process_time() - start
    if taken > SLOW:
        return taken, f"{taken:.2f} CPU-seconds"
    if len(result.text) > len(text) + GROWTH:
        return taken, f"grows from {len(text)} to {len(result.text)} characters"
    if result.fallback:
        return taken, "falls back below the longest page"
    if result.steps > 2 * len(text) + 2:
        return taken, f"{result.steps} steps for {len(text)} characters"
    again = clean(result.text, namespaces)
    if len(again.text) > len(result.text) + GROWTH:
        return taken, f"its text grows from {len(result.text)} to {len(again.text)} characters"
    return taken, ""


class Report:
    """Counts of pages by kind, the slowest ones, and files of those that fail."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages: Counter = Counter()
        self.characters = self.failures = 0
        self.seconds = 0.0
        self.slowest: list[tuple[float, int, str, str]] = []

    def add(self, text: str, namespaces: Namespaces, kind: str) -> None:
        """Try one page."""
        taken, wrong = fault(text, namespaces)
        self.pages[kind] += 1
        self.characters += len(text)
        self.seconds += taken
        self.slowest = sorted([*self.slowest, (taken, len(text), kind, text[:60])])[-8:]
        if wrong:
            self.failures += 1
            self.folder.mkdir(parents=True, exist_ok=True)
            path = self.folder / f"{self.failures}.txt"
            path.write_text(text, encoding="utf-8")
            print(f"{path}: {wrong}", flush=True)

    def show(self) -> None:
        """Print the figures."""
        millions = self.characters / 1e6
        print(f"{dict(self.pages)} pages, {millions:.0f} million characters")
        print(f"{self.failures} failures; {millions / self.seconds:.1f} million per CPU-second")
        for taken, length, kind, head in reversed(self.slowest):
            print(f"{taken:.3f} CPU-s  {length:8d} characters  {kind:9s} {head!r}")


def main() -> None:
    """Run for a while, then print what happened."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--failures", type=Path, default=Path("results/fuzz_wikitext"))
    options = parser.parse_args()
    real = list(articles(options.dumps))
    sample, spaces = [a.text for a in real if a.text], [a.namespaces for a in real if a.text]
    generator = np.random.default_rng(options.seed)
    end = time.monotonic() + 60 * options.minutes
    report = Report(options.failures)
    for text in malformed():
        if time.monotonic() > end:
            break
        report.add(text, spaces[0], "malformed")
    while time.monotonic() < end:
        namespaces = spaces[generator.integers(len(spaces))]
        if generator.random() < 0.5:
            report.add(grammar(generator), namespaces, "grammar")
        else:
            report.add(mutation(generator, sample), namespaces, "mutation")
    print(f"seed {options.seed}, {options.minutes:g} minutes")
    report.show()


if __name__ == "__main__":
    main()
