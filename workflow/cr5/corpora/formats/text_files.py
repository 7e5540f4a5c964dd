"""A folder of .txt files: a text each, whose concept is the file's name in the folder."""

from collections.abc import Collection, Iterator
from pathlib import Path

from cr5.base import limits
from cr5.base.compressed import open_stream
from cr5.base.errors import UserError

ENDING = ".txt"
PATTERNS = (f"*{ENDING}", f"*{ENDING}.gz", f"*{ENDING}.xz", f"*{ENDING}.bz2")
SHOWN = 5


def read(folder: Path, wanted: Collection[str] = ()) -> Iterator[tuple[str, dict[str, str]]]:
    """Read the files of a folder and its subfolders, sorted by name.

    Yields:
        (file, `concept`, `id` and `text`).

    Raises:
        UserError: there is none; or with its name: one is too large, or not UTF-8.
    """
    files = sorted(file for pattern in PATTERNS for file in folder.rglob(pattern))
    if not files:
        there = ", ".join(sorted(x.name for x in folder.iterdir())[:SHOWN]) or "nothing"
        raise UserError(
            f"{folder}: a folder without {ENDING} files and no Hugging Face dataset; it has {there}"
        )
    for file in files:
        name = file.relative_to(folder).as_posix()
        name = name[: name.rindex(ENDING)]
        yield str(file), {"concept": name, "id": name, "text": _text(file)}


def _text(file: Path) -> str:
    if not file.stat().st_size:
        return ""
    with open_stream(file) as stream:
        data = limits.whole(stream, str(file))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").strip()
    except UnicodeDecodeError as error:
        raise UserError(
            f"{file}, byte {error.start + 1}: not UTF-8; convert the file to UTF-8"
        ) from error
