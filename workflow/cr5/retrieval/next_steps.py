"""What to do with a finished run: working commands to copy."""

import shlex
from pathlib import Path

from cr5.base.errors import UserError
from cr5.retrieval.embedder import Embedder
from cr5.retrieval.loading import load
from cr5.retrieval.results import Results

LONGEST = 60  # characters of a title used as a text
WORDS = 3  # of the title that the model must know


def next_steps(folder: str | Path, shown: str | None = None, program: str = "./run") -> list[str]:
    """Suggest what to do next, one line each.

    Args:
        folder: of the results of a run.
        shown: its path relative to the user's folder, if different.
        program: path of `./run`, likewise.

    Returns:
        Lines to print; empty if no model can be used.
    """
    shown = shown or str(folder)
    try:
        results = Results(Path(folder))
        embedder = load(results.find().folder)
        title, language = _title(results, embedder)
    except UserError:
        return []
    target = next(x for x in embedder.languages if x != language)
    search = [program, "cr5", "search", shown, title, "--from", language, "--to", target]
    return [
        f"Search it:   {shlex.join(search)}",
        f"Explore it:  {shlex.join([program, 'cr5', 'explore', shown])}",
    ]


def _title(results: Results, embedder: Embedder) -> tuple[str, str]:
    """A title with words the model knows, in the language that most readers know."""
    for language in sorted(embedder.languages, key=lambda x: x != "en"):
        titles = [x for x in results.documents(language).titles if len(x) <= LONGEST]
        known = embedder.count(titles, language).counts
        found = [x for x, n in zip(titles, known.getnnz(axis=1), strict=True) if n >= WORDS]
        if found:
            return found[len(found) // 2], language
    raise UserError(f"{results.folder}: no document has a title that could be searched for")
