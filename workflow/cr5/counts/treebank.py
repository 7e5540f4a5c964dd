"""Tokens of the Penn Treebank, as NLTK's word_tokenize finds them in sentences.

The authors of Cr5 counted these: numbers, abbreviations and words with hyphens or apostrophes are
one token, punctuation marks are tokens of their own. NLTK learns from data where sentences end;
here one ends with its line, or with a full stop, an exclamation or question mark before a space.
"""

import re

SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
# In this order, from nltk.tokenize.destructive.NLTKWordTokenizer (Apache 2.0).
QUOTES_BEGIN = [
    (r"([«“‘„]|[`]+)", r" \1 "),
    (r"^\"", r"``"),
    (r"(``)", r" \1 "),
    (r"([ \(\[{<])(\"|\'{2})", r"\1 `` "),
    (r"(?i)(\')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
]
MARKS = [
    (r'([^\.])(\.)([\]\)}>"\'»”’ ]*)\s*$', r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
    (r'([^\.])(\.)([\]\)}>"\']*)\s*$', r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[*]", r" \g<0> "),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> "),
    (r"--", r" -- "),
]
QUOTES_END = [
    (r"([»”’])", r" \1 "),
    (r"''", r" '' "),
    (r'"', r" '' "),
    (r"\s+", r" "),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
]
CONTRACTED = [
    (rf"(?i)\b{first}(?#X){rest}\b", r" \1 \2 ")
    for first, rest in (
        *[("(can)", "(not)"), ("(d)", "('ye)"), ("(gim)", "(me)"), ("(gon)", "(na)")],
        *[("(got)", "(ta)"), ("(lem)", "(me)"), ("(more)", "('n)"), ("(wan)", r"(na)(?=\s)")],
    )
] + [(r"(?i) ('t)(is)\b", r" \1 \2 "), (r"(?i) ('t)(was)\b", r" \1 \2 ")]
WITHIN = [(re.compile(x), y) for x, y in QUOTES_BEGIN + MARKS]
AT_END = [(re.compile(x), y) for x, y in QUOTES_END + CONTRACTED]


def words(text: str) -> list[str]:
    """Return the tokens of a text, sentence by sentence."""
    return [token for sentence in SENTENCE.split(text) for token in _tokens(sentence)]


def _tokens(sentence: str) -> list[str]:
    for pattern, replacement in WITHIN:
        sentence = pattern.sub(replacement, sentence)
    sentence = f" {sentence} "
    for pattern, replacement in AT_END:
        sentence = pattern.sub(replacement, sentence)
    return sentence.split()
