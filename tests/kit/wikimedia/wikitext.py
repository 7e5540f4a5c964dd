"""Mark-up around a plain text, of the kinds that articles have, and no other words to be seen.

Undone by a cleaner, the text has the same words again. What its characters would mean as mark-up
is written as entities first.
"""

import re
from collections.abc import Mapping
from random import Random

FILE, CATEGORY = 6, 14  # namespaces

SPECIAL = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "[": "&#91;",
    "]": "&#93;",
    "{": "&#123;",
    "|": "&#124;",
    "}": "&#125;",
    "'": "&#39;",
    "~": "&#126;",
    "_": "&#95;",
    "=": "&#61;",
}
ESCAPES = str.maketrans(SPECIAL)
LINE_START = re.compile(r"^[*#:; \t-]", re.MULTILINE)
MAGIC = re.compile(r"\b(ISBN|RFC|PMID)(?= )|(?<=:)//")
PLAIN_WORD = re.compile(r"[^\W\d_]{3,}")
RATE = 18  # one word in so many gets mark-up

INFOBOX = """{{Infobox settlement
| name = %s
| population = {{formatnum:1234567}}
| image = Coat of arms.svg
| leader = [[Somebody|An invisible person]]
}}
"""
TABLE = """
{| class="wikitable sortable" style="text-align:right"
|+ %s
! scope="col" | %s !! 1
|-
| %s || colspan="2" | %s
|-
| 1,234
|}
"""
REFERENCES = (
    "<ref>{{cite web|url=https://example.org/a?b=c|title=A hidden title|date=2020}}</ref>",
    "<ref name='hidden'>Hidden, ''[[Hidden work]]'', p. 12.</ref>",
    '<ref name="hidden" />',
    "<!-- a hidden remark with [[a link]] and {{a template}} -->",
    "{{citation needed|date=May 2020}}",
)
FOOT = """
{{Reflist}}
{{DEFAULTSORT:%s}}
[[%s:Hidden category]]
[[Category:Another hidden category|*]]
"""


def escaped(text: str) -> str:
    """Return a text whose characters stand for themselves in wikitext."""
    text = MAGIC.sub(lambda match: f"&#{ord(match[0][0])};{match[0][1:]}", text.translate(ESCAPES))
    return LINE_START.sub(lambda match: f"&#{ord(match[0])};", text)


def marked(title: str, text: str, random: Random, names: Mapping[int, str]) -> str:
    """Return a text with mark-up.

    Args:
        title: of the article, for templates.
        text: plain, paragraphs by line.
        random: decides what is put where.
        names: of namespaces, by number, as the wiki has them.
    """
    plain = escaped(text).split("\n")
    table = random.randrange(len(plain))  # the line that becomes one
    lines = [
        _table(line) if number == table else _line(line, random)
        for number, line in enumerate(plain)
    ]
    picture = f"[[{names[FILE]}:Picture of it.jpg|thumb|right|220px]]\n"
    name = escaped(title)
    return INFOBOX % name + picture + "\n\n".join(lines) + FOOT % (name, names[CATEGORY])


def _table(line: str) -> str:
    """A table with the words of a line in its caption, header and cells."""
    words = line.split(" ")
    size = -(-len(words) // 4)
    return TABLE % tuple(" ".join(words[k * size : (k + 1) * size]) for k in range(4))


def _line(line: str, random: Random) -> str:
    words = line.split(" ")
    for _ in range(len(words) // RATE + 1):
        position = random.randrange(len(words))
        if PLAIN_WORD.fullmatch(words[position]):
            words[position] = _word(words[position], random)
    if random.random() < 0.3:
        words[-1] += random.choice(REFERENCES)
    line = " ".join(words)
    if 0 < len(line) < 60:
        return f"== {line} =="
    return ("* " if random.random() < 0.1 else "") + line


def _word(word: str, random: Random) -> str:
    return (
        random.choice(
            (
                "'''%s'''",
                "''%s''",
                "[[%s]]",
                "[[Hidden target|%s]]",
                "[[Hidden target (x)#Hidden section|''%s'']]",
                "{{lang|fr|%s}}",
                "{{nowrap|%s}}",
                "[https://example.org/hidden?x=y %s]",
                "<small>%s</small>",
                '<span style="color:red">%s</span>',
                "<nowiki>%s</nowiki>",
                "&nbsp;%s",
            )
        )
        % word
    )
