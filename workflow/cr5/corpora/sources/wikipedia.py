"""Wikimedia's dumps: which files, and from where; see `corpora.wikimedia`."""

from cr5.corpora.wikimedia.settings import OPTIONS as PUBLISHED

TITLE = "Wikipedia"
OPTIONS = {**PUBLISHED}
RULES = "wikipedia.smk"
LICENCE = (
    "cc-by-sa-4.0",
    "The texts are articles of Wikipedia, under the Creative Commons Attribution-ShareAlike 4.0 "
    "licence (https://creativecommons.org/licenses/by-sa/4.0/): name Wikipedia's authors, and give "
    "what you make of it under the same licence.",
)
