"""Comments, tags, and constructs in paired brackets: templates and links.

Unmatched opening and closing brackets are dropped, and the text around them is kept. A heading
ends all open constructs, so one forgotten bracket cannot swallow the rest of the article.
"""

import re
from collections.abc import Callable

DEEPEST = 40  # MediaWiki's own limit for templates; bounds how often text is joined
HEADING = "\n=="
# To look for one rare character first is twice as fast as to look for two.
DOUBLE = {2 * mark: re.compile(rf"\{mark}(?=\{mark})\{mark}") for mark in "{}[]"}

BREAK = "\x0b"  # placeholder for a line break, as table rows end at "\n"; XML cannot contain it
# Literal markup characters are stored as control characters that XML cannot contain.
MARKUP = "[]{}|<>='*:!_"  # not &, as entities are resolved there too
LITERAL = "".join(map(chr, range(14, 14 + len(MARKUP))))
PROTECT = str.maketrans(MARKUP, LITERAL)
RESTORE = dict(zip(LITERAL, MARKUP, strict=True))
PROTECTED = re.compile(f"[{LITERAL}]")

# Tags whose content is not wikitext: it is kept unchanged, or dropped.
KEPT = frozenset(["nowiki", "pre"])
WITHOUT_WORDS = """
categorytree ce chem graph hiero indicator inputbox mapframe maplink math ref score section
source syntaxhighlight templatedata templatestyles timeline
"""
DROPPED = frozenset(WITHOUT_WORDS.split())
# The rest of a tag. A quoted value may have < and > in it; it ends with a quote that could end one,
# so that after a forgotten quote no text counts as a value.
ATTRIBUTES = r"""(?:[^<>=]++|=\s*+(?:"[^"\n]*+"(?=[\s/>])|'[^'\n]*+'(?=[\s/>]))?+)*+"""
NAMES = "|".join(sorted(KEPT | DROPPED))
COMMENT = "!--"
# A whole reference without tags in it, as nearly all are, or what begins a comment, or the tag that
# begins something else.
OPAQUE = re.compile(
    rf"<(?:ref(?=[\s/>]){ATTRIBUTES}(?:(?<=/)>|>[^<]*+</ref\s*+>)"
    rf"|({COMMENT})|({NAMES})(?=[\s/>]){ATTRIBUTES}>)",
    re.IGNORECASE,
)
ENDS = {name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in KEPT | DROPPED}
ENDS[COMMENT] = re.compile("-->")
REFERENCE = re.compile(r"<ref(?=[\s/>])", re.IGNORECASE)

TAG = re.compile(rf"</?([A-Za-z][A-Za-z0-9]*+)(?=[\s/>]){ATTRIBUTES}>")
BLOCK_TAGS = """
blockquote br caption center dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p poem table tbody td tfoot
th thead tr ul
"""
INLINE_TAGS = """
abbr b bdi bdo big cite code data del dfn em font i includeonly ins kbd langconvert link mark meta
noinclude nobr onlyinclude q rb references rp rt rtc ruby s samp small span strike strong sub sup
time tt u var wbr
"""
BLOCKS = frozenset(BLOCK_TAGS.split()) | {"gallery", "imagemap"}
INLINE = frozenset(INLINE_TAGS.split()) | DROPPED | KEPT


def without_opaque(text: str) -> str:
    """Drop comments, references, formulas and code with their content; protect literal text.

    Whichever begins first has the rest, as in MediaWiki. An unclosed comment is kept. Of an
    unclosed tag only the tag itself is dropped. So is a reference in which another one begins: it
    lacks its end, and the text between the two must be kept.
    """
    done = []
    at = 0
    ends: dict[str, re.Match | None] = {}  # the next end tag by name
    for match in OPAQUE.finditer(text):
        if match.start() < at:
            continue
        done.append(text[at : match.start()])
        at = match.end()
        if match.lastindex is None or text[at - 2] == "/":
            continue
        name = match[match.lastindex].lower()
        end = ends.get(name, match)
        if end and end.start() < at:
            end = ends[name] = ENDS[name].search(text, at)
        if end is None or (name == "ref" and REFERENCE.search(text, at, end.start())):
            if name == COMMENT:
                done.append(match[0])
            continue
        if name in KEPT:
            done.append(text[at : end.start()].translate(PROTECT))
        at = end.end()
    if not done:
        return text
    done.append(text[at:])
    return "".join(done)


def restore(text: str) -> str:
    """Restore protected characters; `str.translate` would take twenty times as long."""
    return PROTECTED.sub(lambda match: RESTORE[match[0]], text)


def without_html(text: str) -> str:
    """Drop the tags that MediaWiki knows; block tags become a `BREAK`."""
    if "<" in text:
        text = TAG.sub(_html, text)
    return text


def resolve(text: str, opening: str, closing: str, render: Callable[[list[str]], str]) -> str:
    """Replace each construct with `render` of its content, in pieces, what is nested rendered.

    Constructs nested deeper than `DEEPEST` only lose their brackets: no text is joined more often
    than that, so time is linear in the length of the text.
    """
    if opening[0] not in text and closing[0] not in text:
        return text
    opened = DOUBLE[opening]
    closed = DOUBLE[closing]
    done: list[str] = []
    starts: list[int] = []  # where in `done` each open construct begins
    for number, part in enumerate(opened.split(text)):
        if number:
            starts.append(len(done))
        for ending, piece in enumerate(closed.split(part)):
            if ending and starts:
                start = starts.pop()
                if len(starts) < DEEPEST:
                    done[start:] = [render(done[start:])]
            done.append(piece)
            if HEADING in piece:
                starts.clear()
    return "".join(done)


def _html(match: re.Match) -> str:
    name = match[1].lower()
    if name in BLOCKS:
        return BREAK
    if name in INLINE:
        return ""
    return match[0]
