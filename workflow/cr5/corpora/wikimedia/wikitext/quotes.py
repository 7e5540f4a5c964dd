"""Apostrophes for italics and bold."""

import re

RUN = re.compile(r"('{2,}+)")
LETTER = re.compile(r"(?:\A| )\S\Z")


def without_quotes(text: str) -> str:
    """Drop runs of apostrophes that mean italics or bold; keep real apostrophes.

    As in MediaWiki (`Parser::doQuotes`): four, or more than five, include one; in a line with an
    odd number of both bold and italics, one of the bold ones does. French and Italian need this:
    l'''homme'' is l'homme.
    """
    if "''" not in text:
        return text
    return "\n".join([_line(line) if "''" in line else line for line in text.split("\n")])


def _line(line: str) -> str:
    fives = line.count("'''''")
    if line.count("''''") == fives and "''''''" not in line:
        threes = line.count("'''") - fives
        twos = line.count("''") - threes - 2 * fives
        if not (threes and (threes + fives) % 2 and (twos + fives) % 2):
            return line.replace("'''", "").replace("''", "")
    return _unbalanced(line)


def _unbalanced(line: str) -> str:
    """Process a line in which a run includes an apostrophe, or may."""
    parts = RUN.split(line)
    threes, twos, fives = [], 0, 0
    for i in range(1, len(parts), 2):
        length = len(parts[i])
        parts[i] = "'" if length == 4 or length > 5 else ""
        if length in (3, 4):
            threes.append(i)
        elif length == 2:
            twos += 1
        else:
            fives += 1
    if threes and (len(threes) + fives) % 2 and (twos + fives) % 2:
        parts[_half_apostrophe(parts, threes)] = "'"
    return "".join(parts)


def _half_apostrophe(parts: list[str], threes: list[int]) -> int:
    """The bold run to read as apostrophe and italics: after a letter, else after a word."""
    after_letter = (i for i in threes if LETTER.search(parts[i - 1]))
    after_word = (i for i in threes if parts[i - 1][-1:].strip())
    return next(after_letter, next(after_word, threes[0]))
