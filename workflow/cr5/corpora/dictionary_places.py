"""Places of bilingual dictionaries as given in the configuration; also used to plan jobs."""

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from cr5.base.errors import UserError

FREEDICT = "freedict"
Pair = tuple[str, str]


def is_elsewhere(where: str) -> bool:
    """Whether dictionaries have to be fetched first.

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
    """Whether each pair of languages has a place of its own."""
    return "{source}" in where and "{target}" in where


def of_pair(where: str, pair: Pair) -> str:
    """Fill in the languages of a pair."""
    return where.replace("{source}", pair[0]).replace("{target}", pair[1])


def fetched(where: str, folder: str) -> str:
    """Return the place of dictionaries fetched to a folder."""
    return folder if where == FREEDICT else f"{folder}/{{source}}-{{target}}"


def files(where: str, pairs: Iterable[Pair]) -> dict[Pair, Path]:
    """Return the files that exist, by directed pair.

    Args:
        where: a path with `{source}` and `{target}` in it.
        pairs: directed.
    """
    paths = {pair: Path(of_pair(where, pair)) for pair in pairs}
    return {pair: path for pair, path in paths.items() if path.is_file()}
