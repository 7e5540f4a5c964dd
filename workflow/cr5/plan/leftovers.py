"""Results of settings, systems, repetitions and tasks that the configuration no longer has."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cr5.fitting.seeds import SECTION
from cr5.plan.matrix import Row

PLACES = {
    "draws": ["repetition"],
    "settings": ["setting"],
    "models": ["setting", "system", "repetition"],
    "ranks": ["setting", "system", "repetition", "task"],
    "aligned": ["task"],
    "tasks": ["task"],
    "tables/tasks": ["task"],
}
"""Folders of results, and which key names the entries of each level below."""


def leftovers(results: str | Path, rows: Sequence[Row]) -> list[Path]:
    """Return the folders and files that no row of the matrix accounts for, at the highest level."""
    found = []
    for place, keys in PLACES.items():
        known = {tuple(str(row.keys[key]) for key in keys) for row in rows}
        known |= {(SECTION,)} if place == "tasks" else set()
        found += sorted(_unknown(Path(results) / place, known, len(keys)))
    return found


def _unknown(folder: Path, known: set[tuple[str, ...]], depth: int) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        below = {names[1:] for names in known if names[0] == _name(path)}
        if path.name.startswith("."):
            continue
        if not below:
            yield path
        elif depth > 1:
            yield from _unknown(path, below, depth - 1)


def _name(path: Path) -> str:
    return path.name if path.is_dir() else path.stem
