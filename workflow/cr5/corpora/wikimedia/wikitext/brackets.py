"""Constructs in paired brackets, innermost first, in one pass: templates and links.

An opening that is never closed and a closing that was never opened lose their brackets and
nothing else: what stands between them stays. A heading ends whatever is still open, so that one
forgotten bracket cannot take the rest of the article with it.
"""

from collections.abc import Callable
from dataclasses import dataclass

DEEPEST = 40  # MediaWiki's own limit for templates; it bounds how often text is joined
HEADING = "\n=="


@dataclass
class Tally:
    """What a page had of each.

    Attributes:
        steps: pieces of text and tags that were looked at: a measure of the work done.
        unclosed: brackets and tags without their other half.
        protected: texts that are meant literally.
    """

    steps: int = 0
    unclosed: int = 0
    protected: int = 0


def resolve(
    text: str, opening: str, closing: str, render: Callable[[list[str]], str], tally: Tally
) -> str:
    """Put in place of each construct what `render` makes of its content.

    Constructs nested deeper than `DEEPEST` only lose their brackets: no text is joined more often
    than that, and the time is linear in the length of the text.

    Args:
        text: wikitext.
        opening: a pair of brackets.
        closing: the pair that ends what `opening` begins.
        render: from the content, in pieces, where nested constructs are rendered already.
        tally: is added to.
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
