"""A made-up Wikimedia: articles of several languages about the same, laid out as on the server."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.kit.texts import said, texts
from tests.kit.wikimedia.layouts import write_content, write_page_props
from tests.kit.wikimedia.pages import pages

Article = tuple[str, str, str]  # Q-id, title, text


def articles(languages: Iterable[str], n: int, length: int) -> dict[str, list[Article]]:
    """Write articles about n concepts, of so many words, some of which a language lacks."""
    drawn = texts(languages, n, length, 0.3, seed=41, missing=0.1)
    return {
        language: [
            (f"Q{k + 1}", f"{said(x[:2], language)} {k}", _sentences(said(x, language)))
            for k, x in found.items()
        ]
        for language, found in drawn.items()
    }


def make(
    folder: Path,
    languages: Iterable[str],
    n: int,
    length: int = 90,
    parts: Sequence[int] = (3,),
) -> None:
    """Write a mirror, and what it was made from to FOLDER/aligned, as JSON lines.

    Args:
        folder: to write to.
        languages: codes; they take turns in the syntax of page_props.
        n: concepts.
        length: words of an article.
        parts: of the text of each wiki; the last number is that of all further ones.
    """
    (folder / "aligned").mkdir(parents=True)
    for number, (language, found) in enumerate(articles(languages, n, length).items()):
        lines = (json.dumps(dict(zip(("concept", "title", "text"), x, strict=True))) for x in found)
        (folder / "aligned" / f"{language}.jsonl").write_text("\n".join(lines))
        made = list(pages(language, found))
        write_content(folder, language, made, parts[min(number, len(parts) - 1)])
        write_page_props(folder, language, made, row_a_line=number % 2 == 1)


def _sentences(text: str) -> str:
    found = text.split()
    return "\n".join(" ".join(found[i : i + 12]) + "." for i in range(0, len(found), 12))
