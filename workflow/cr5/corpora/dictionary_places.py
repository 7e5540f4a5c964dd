"""Where bilingual dictionaries are, as the configuration says it; needed to plan jobs too."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from cr5.base.errors import UserError

FREEDICT = "freedict"
Pair = tuple[str, str]


def is_elsewhere(where: str) -> bool:
    """Whether dictionaries are to be fetched first.

    Raises:
        UserError: it is neither `freedict`, nor an address, nor a folder, nor a path for each pair.
    """
    if not (where == FREEDICT or names_pair(where) or (where and Path(where).is_dir())):
        raise UserError(
            f"expected `{FREEDICT}`, a folder with FreeDict's packages, or a path or address with "
            f"{{source}} and {{target}} in it, such as dicts/{{source}}-{{target}}.txt; "
            f"found {where!r}"
        )
    return where == FREEDICT or urlsplit(where).scheme in ("http", "https")


def names_pair(where: str) -> bool:
    """Whether there is a place for each pair of languages."""
    return "{source}" in where and "{target}" in where


def of_pair(where: str, pair: Pair) -> str:
    """Fill in the languages."""
    return where.replace("{source}", pair[0]).replace("{target}", pair[1])


def fetched(where: str, folder: str) -> str:
    """Return where dictionaries are once they are fetched to a folder."""
    return folder if where == FREEDICT else f"{folder}/{{source}}-{{target}}"


def files(where: str, pairs: Iterable[Pair]) -> dict[Pair, Path]:
    """Return the files that are there, by directed pair.

    Args:
        where: a path with `{source}` and `{target}` in it.
        pairs: directed.
    """
    paths = {pair: Path(of_pair(where, pair)) for pair in pairs}
    return {pair: path for pair, path in paths.items() if path.is_file()}
