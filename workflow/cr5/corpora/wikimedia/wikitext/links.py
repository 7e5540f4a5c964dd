"""Links within the wiki, to other wikis and to the web; images become their captions."""

import re

from cr5.corpora.wikimedia.wikitext.media import caption
from cr5.corpora.wikimedia.wikitext.namespaces import CATEGORY, FILE, Namespaces, is_language
from cr5.corpora.wikimedia.wikitext.tags import BREAK

# Possessive quantifiers: no backtracking.
BRACKETED = re.compile(
    r"\[(?:[A-Za-z]{3,9}+:)?(?://|(?<=mailto:))[^\s\[\]<>\"]*+(?:[^\S\n]*+([^\[\]\n]*+)\])?"
)
SCHEME = re.compile(r"(?:https?|ftps?|ircs?|news|nntp|svn|git|ssh)\Z", re.IGNORECASE)
LONGEST_SCHEME = 5
ADDRESS = re.compile(r"[^\s\[\]<>\"|{}]*+")


def internal(content: str, namespaces: Namespaces) -> str:
    """Return what a link shows: its label, else its target.

    Categories and links to the same article in another language show nothing; a leading colon
    makes both ordinary links.

    Args:
        content: the text between the double brackets, nested links already rendered.
        namespaces: of the wiki.
    """
    target, bar, label = content.partition("|")
    prefix, colon, rest = target.partition(":")
    if colon and prefix.strip():
        number = namespaces.number(prefix)
        if number == FILE:
            return f"{BREAK}{caption(label.split('|'))}{BREAK}"
        if number == CATEGORY or is_language(prefix.strip()):
            return ""
    elif colon:
        target = rest
    return label if bar and label.strip() else target


def without_urls(text: str) -> str:
    """Keep the labels of links to the web, and drop their addresses."""
    if "//" not in text and "mailto:" not in text:
        return text
    text = BRACKETED.sub(lambda match: match[1] or "", text)
    done, *parts = text.split("://")
    pieces = []
    for part in parts:
        end = done[-LONGEST_SCHEME:]
        scheme = SCHEME.search(end)
        if scheme:
            pieces.append(done[: len(done) - len(end) + scheme.start()])
            done = part[ADDRESS.match(part).end() :]
        else:
            pieces.append(done + "://")
            done = part
    return "".join([*pieces, done])
