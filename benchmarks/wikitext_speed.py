"""Wikitext to text in MB per CPU-second: ours, mwparserfromhell and gensim, in the same run.

    .venv/bin/python -m benchmarks.wikitext_speed --dumps FOLDER [--file NAME] [--rounds 3]

The programs take turns, round by round, on the same articles. MB are 10^6 bytes of wikitext in
UTF-8; the figure is the median of the rounds, in brackets the slowest and the fastest.
"""

import statistics
import time
from collections.abc import Callable

import mwparserfromhell
from gensim.corpora.wikicorpus import filter_wiki

from benchmarks.wikimedia_samples import Article, arguments, articles
from cr5.corpora.wikimedia.wikitext.clean import clean
from cr5.counts.tokens import tokenise

EXTRACTORS: dict[str, Callable[[Article], str]] = {
    "cr5": lambda article: clean(article.text, article.namespaces).text,
    "cr5 and tokens": lambda article: tokenise(clean(article.text, article.namespaces).text, "en"),
    "gensim filter_wiki": lambda article: filter_wiki(article.text),
    "mwparserfromhell": lambda article: mwparserfromhell.parse(article.text).strip_code(),
}


def seconds(extract: Callable[[Article], str], sample: list[Article]) -> float:
    """CPU time for the sample."""
    start = time.process_time()
    for article in sample:
        extract(article)
    return time.process_time() - start


def main() -> None:
    """Print the rates."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--file", default="enwiki-gensim-shortened.xml.bz2", help="or: all")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    sample = [a for a in articles(options.dumps) if options.file in (a.file, "all")]
    megabytes = sum(len(a.text.encode()) for a in sample) / 1e6
    print(f"{options.file}: {len(sample)} articles, {megabytes:.1f} MB, {options.rounds} rounds")
    rates: dict[str, list[float]] = {name: [] for name in EXTRACTORS}
    for _ in range(options.rounds):
        for name, extract in EXTRACTORS.items():
            rates[name].append(megabytes / seconds(extract, sample))
    for name, values in rates.items():
        median = statistics.median(values)
        print(f"{name:20s} {median:6.1f} MB/CPU-s  [{min(values):.1f}, {max(values):.1f}]")


if __name__ == "__main__":
    main()
