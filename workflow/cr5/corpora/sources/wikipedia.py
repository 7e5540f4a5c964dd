"""Wikimedia's dumps: which files, from where, and which of their pages; see `corpora.wikimedia`."""

from cr5.corpora.wikimedia.selection import OPTIONS as PAGES
from cr5.corpora.wikimedia.settings import OPTIONS as PUBLISHED

TITLE = "Wikipedia"
OPTIONS = {
    **PUBLISHED,
    **PAGES,
    "pieces": (
        1,
        {"ge": 1},
        "jobs per published file: each reads all of it and works on every n-th page; for clusters "
        "with more cores than files",
    ),
}
RULES = "wikipedia.smk"
LICENCE = (
    "cc-by-sa-4.0",
    "The texts are articles of Wikipedia, under the Creative Commons Attribution-ShareAlike 4.0 "
    "licence (https://creativecommons.org/licenses/by-sa/4.0/): name Wikipedia's authors, and give "
    "what you make of it under the same licence.",
)
