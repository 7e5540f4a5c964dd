"""Constructs in paired brackets, innermost first, in one pass: templates and links.

Unmatched opening and closing brackets are dropped, and the text around them is kept. A heading
ends all open constructs, so one forgotten bracket cannot swallow the rest of the article.
"""

from collections.abc import Callable
from dataclasses import dataclass

DEEPEST = 40  # MediaWiki's own limit for templates; bounds how often text is joined
HEADING = "\n=="


@dataclass
class Tally:
    """Counts for a page.

    Attributes:
        steps: pieces of text and tags processed, a measure of work.
        unclosed: brackets and tags without their other half.
        protected: literal texts.
    """

    steps: int = 0
    unclosed: int = 0
    protected: int = 0


def resolve(
    text: str, opening: str, closing: str, render: Callable[[list[str]], str], tally: Tally
) -> str:
    """Replace each construct with `render` of its content.

    Constructs nested deeper than `DEEPEST` only lose their brackets: no text is joined more often
    than that, so time is linear in the length of the text.

    Args:
        text: wikitext.
        opening: a double bracket.
        closing: the matching closing one.
        render: takes the content in pieces, with nested constructs already rendered.
        tally: counts are added to it.
    """
    if opening not in text and closing not in text:
        return text
    done: list[str] = []
    starts: list[int] = []  # where in `done` each open construct begins
    for number, part in enumerate(text.split(opening)):
        if number:
            starts.append(len(done))
        for ending, piece in enumerate(part.split(closing)):
            if ending and not starts:
                tally.unclosed += 1
            elif ending:
                start = starts.pop()
                if len(starts) < DEEPEST:
                    done[start:] = [render(done[start:])]
            done.append(piece)
            tally.steps += 1
            if starts and HEADING in piece:
                tally.unclosed += len(starts)
                starts.clear()
    tally.unclosed += len(starts)
    return "".join(done)
