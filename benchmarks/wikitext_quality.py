"""Our wikitext against an independent parser, mwparserfromhell, on real articles, by language.

    .venv/bin/python -m benchmarks.wikitext_quality --dumps FOLDER [--differences 30]

The oracle's text is `strip_code` after taking out what it keeps and no text has: references,
categories, links to other languages, bare addresses, and all of an image link but its caption;
and after giving cells of tables a line each.
Words lost are those of the oracle that ours lacks, words added the other way round, both as shares
of the oracle's words, counted with repetition; `lost_sure` where the oracle
itself left no markup. Needs the extra icu, as there are Japanese, Chinese and Thai articles.
"""

import re
import time
from collections import Counter, defaultdict

import mwparserfromhell
import pandas as pd

from benchmarks.wikimedia_samples import Article, arguments, articles
from cr5.corpora.wikimedia.wikitext.clean import RESIDUE, clean
from cr5.corpora.wikimedia.wikitext.namespaces import CATEGORY, FILE, is_language
from cr5.counts.tokens import tokenise

NO_TEXT = ("ref", "math", "gallery", "timeline", "syntaxhighlight", "source", "chem")
CELLS = ("td", "th", "caption")  # else the last word of one and the first of the next are one
LINE_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)


def oracle(article: Article) -> str:
    """The text by mwparserfromhell."""
    code = mwparserfromhell.parse(LINE_BREAK.sub("\n", article.text))
    for link in code.filter_wikilinks():
        prefix, colon, _ = str(link.title).partition(":")
        number = article.namespaces.number(prefix) if colon else None
        if number == FILE:
            link.title, link.text = "", str(link.text or "").rpartition("|")[2]
        elif number == CATEGORY or (colon and is_language(prefix.strip())):
            link.title, link.text = "", ""
    for tag in code.filter_tags(matches=lambda tag: str(tag.tag).lower() in NO_TEXT):
        tag.contents = None
    for cell in code.filter_tags(matches=lambda tag: str(tag.tag) in CELLS):
        cell.contents.append(" ")
    for link in code.filter_external_links(matches=lambda link: not link.brackets):
        link.url = ""
    return code.strip_code(normalize=True, collapse=True)


def compare(article: Article) -> tuple[dict[str, float], Counter, Counter]:
    """Figures of one article, and the words that only one of the two has."""
    cleaned = clean(article.text, article.namespaces)
    expected = oracle(article)
    ours = Counter(tokenise(cleaned.text, article.language))
    theirs = Counter(tokenise(expected, article.language))
    doubtful = RESIDUE.search(expected) is not None
    lost, added = theirs - ours, ours - theirs
    figures = {
        "articles": 1,
        "MB": len(article.text.encode()) / 1e6,
        "words": theirs.total(),
        "lost": lost.total(),
        "added": added.total(),
        "sure": 0 if doubtful else theirs.total(),
        "lost_sure": 0 if doubtful else lost.total(),
        "residual": int(cleaned.residual),
        "oracle_residual": int(doubtful),
        "unclosed": int(cleaned.unclosed > 0),
        "fallback": int(cleaned.fallback),
    }
    return figures, lost, added


def main() -> None:
    """Print a table by language and, if wanted, the articles that differ most."""
    parser = arguments(__doc__.splitlines()[0])
    parser.add_argument("--differences", type=int, default=0, help="articles to look into")
    options = parser.parse_args()
    rows, examples = defaultdict(Counter), []
    start = time.process_time()
    for article in articles(options.dumps):
        figures, lost, added = compare(article)
        rows[article.language].update(figures)
        rows["all"].update(figures)
        examples.append((lost.total() + added.total(), article.file, article.title, lost, added))
    table = pd.DataFrame.from_dict(rows, orient="index")
    for column, words in (("lost", "words"), ("added", "words"), ("lost_sure", "sure")):
        table[column] = (100 * table[column] / table[words]).map("{:.2f} %".format)
    print(table.round(2).to_string())
    print(f"{time.process_time() - start:.0f} CPU-seconds")
    for _, file, title, lost, added in sorted(examples, key=lambda e: -e[0])[: options.differences]:
        print(f"\n{file}: {title}\n  lost  {lost.most_common(25)}\n  added {added.most_common(25)}")


if __name__ == "__main__":
    main()
