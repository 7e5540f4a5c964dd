"""Folders that jobs hand on: `contents.json` in each says what it is and what is in it.

    kind, format, of, fits     see `base/labels.py`
    files                      by name, size in bytes and CRC-32 of each
    checksum                   of all the above

It is written last. A file is compared with it when it is about to be read, and only then, so that
a job which needs the names of documents does not read their counts. Files that others put beside
are none of its business.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.files import atomic_folder
from cr5.base.labels import Kind, Label, checksum, crc32
from cr5.base.refusals import DAMAGED, pass_on

NAME = "contents.json"
NOTHING: Mapping[str, Any] = {}


class DamagedError(UserError):
    """A file of a folder is not what was written: the message says all."""


@dataclass(frozen=True)
class Contents:
    """A folder that says what it is.

    Attributes:
        folder: its path.
        kind: of which it is.
        label: what it says.
        files: by name, size in bytes and CRC-32 of each.
    """

    folder: Path
    kind: Kind
    label: Label
    files: Mapping[str, tuple[int, str]]

    def file(self, name: str) -> Path:
        """Give the path of a file that is as it was written.

        Args:
            name: below the folder, with `/` between.

        Raises:
            DamagedError: it is missing, cut off, changed, or no part of the folder.
        """
        path = self.folder / name
        try:
            size, written = self.files[name]
            found = path.stat().st_size
            if found != size:
                what = "cut off" if found < size else "changed since it was written"
                raise self._refusal(path, f"{what}: expected {size} bytes, found {found}")
            if (there := f"{crc32(path):08x}") != written:
                what = "changed since it was written"
                raise self._refusal(path, f"{what}: expected checksum {written}, found {there}")
        except (KeyError, TypeError, ValueError) as error:
            raise self._refusal(path, f"no part of it, says {NAME}") from error
        except OSError as error:
            pass_on(error)
            raise self._refusal(path, f"missing or unreadable ({error.strerror})") from error
        return path

    def _refusal(self, path: Path, what: str) -> DamagedError:
        return DamagedError(f"{path}: {what}; {self.kind.remedy.format(path=self.folder)}")


@contextmanager
def written(
    kind: Kind,
    folder: str | Path,
    of: Mapping[str, Any] = NOTHING,
    fits: Mapping[str, str] = NOTHING,
) -> Iterator[Path]:
    """Give a temporary folder; on success it gets its label and takes the place of `folder`.

    Args:
        kind: of what is written.
        folder: where it will be.
        of: what it is.
        fits: on what it depends; may be filled until the end.
    """
    with atomic_folder(folder) as temporary:
        yield temporary
        seal(temporary, kind.label(of, fits))


def seal(folder: Path, label: Label) -> None:
    """Note what is in a folder."""
    files = {
        path.relative_to(folder).as_posix(): (path.stat().st_size, f"{crc32(path):08x}")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / NAME
    }
    said = {**asdict(label), "files": files}
    text = json.dumps({**said, "checksum": checksum(said)}, indent=1, ensure_ascii=False)
    (folder / NAME).write_text(text + "\n", encoding="utf-8")


def opened(kind: Kind, folder: str | Path, **of: Any) -> Contents:
    """Open a folder of a kind.

    Args:
        kind: that it must be of.
        folder: its path.
        of: what it must be, such as `language="en"`.

    Raises:
        UserError: it is not there, is of another kind or format or something else, or does not
            say what it is.
    """
    folder = Path(folder)
    label, files = read(folder, kind)
    kind.check(label, folder, of)
    return Contents(folder, kind, label, files)


def read(folder: Path, kind: Kind) -> tuple[Label, dict[str, tuple[int, str]]]:
    """Read the label of a folder, and what is to be in it.

    Args:
        folder: its path.
        kind: that it should be of, for messages; any is read.

    Raises:
        UserError: it is not there, or is damaged.
    """
    path = folder / NAME
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        if said.pop("checksum") != checksum(said):
            raise ValueError("its checksum is another")
        files = said.pop("files")
        return Label(**said), files
    except DAMAGED as error:
        pass_on(error)
        if not folder.exists():
            raise kind.refusal(folder, f"no such folder; expected {kind.name}") from error
        reason = "not there" if isinstance(error, FileNotFoundError) else f"unreadable ({error})"
        raise kind.unlabelled(folder, f"{NAME} in it is {reason}") from error
