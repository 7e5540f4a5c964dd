"""Artefacts that jobs hand on: each has a label, which is checked where it is read.

A folder has it in `contents.json`, with the size and the CRC-32 of each of its files; it is written
last. A file is compared with it when it is about to be read, and only then, so that a job which
needs the names of documents does not read their counts. Other files in the folder are ignored.
A single parquet file has its label within, see `base/sealed.py`.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cr5.base import sealed, sealed_json
from cr5.base.errors import UserError
from cr5.base.files import atomic_file, atomic_folder
from cr5.base.labels import Kind, Label, described, difference
from cr5.base.refusals import DAMAGED, pass_on

NAME = "contents.json"
NOTHING: Mapping[str, Any] = {}
ANY = Kind("an artefact of a run")


class DamagedError(UserError):
    """A file of a folder is not what was written: the message says all."""


@dataclass(frozen=True)
class Folder:
    """A folder that says what it is.

    Attributes:
        path: of it.
        kind: of which it is.
        label: what it says.
        files: by name, size in bytes and CRC-32 of each.
    """

    path: Path
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
        path = self.path / name
        try:
            what = difference(path, *self.files[name])
        except (LookupError, TypeError, ValueError):
            what = f"no part of it, says {NAME}"
        except OSError as error:
            pass_on(error)
            what = f"missing or unreadable ({error.strerror})"
        if what:
            raise DamagedError(f"{path}: {what}; {self.kind.remedy.format(path=self.path)}")
        return path


@contextmanager
def written(
    kind: Kind,
    path: str | Path,
    subject: Mapping[str, Any] = NOTHING,
    depends_on: Mapping[str, str] = NOTHING,
    origin: Mapping[str, Any] | None = None,
) -> Iterator[Path]:
    """Give a temporary folder or file; on success it gets its label and takes the place of `path`.

    Args:
        kind: of what is written.
        path: where it will be.
        subject: what it is of.
        depends_on: see `labels.Label`; may be filled until the end.
        origin: what made it, as `Origin.as_json` gives it.
    """
    with (atomic_file if kind.is_file else atomic_folder)(path) as temporary:
        yield temporary
        seal = sealed.seal if kind.is_file else seal_folder
        seal(temporary, kind.label(subject, depends_on, origin))


def seal_folder(folder: Path, label: Label) -> None:
    """Write the label of a folder, and what is in it."""
    files = {
        path.relative_to(folder).as_posix(): described(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / NAME
    }
    sealed_json.write(folder / NAME, {**label.as_json(), "files": files})


def opened(kind: Kind, path: str | Path, **subject: Any) -> Folder:
    """Open a folder of a kind.

    Args:
        kind: that it must be of.
        path: of the folder.
        subject: what it must be of, such as `language="en"`.

    Raises:
        UserError: it is not there, is of another kind, format or subject, or does not say what it
            is.
    """
    path = Path(path)
    found = _folder(path, kind)
    kind.check(found.label, path, subject)
    return found


def checked(kind: Kind, path: str | Path, **subject: Any) -> Label:
    """Read a parquet file's label, and compare the whole file with its checksum.

    Args:
        kind: that it must be of.
        path: of the file.
        subject: what it must be of, such as `language="en"`.

    Raises:
        UserError: it is not there, not whole, changed, or of another kind, format or subject.
    """
    path = Path(path)
    label = sealed.checked(path, kind)
    kind.check(label, path, subject)
    return label


def _folder(path: Path, kind: Kind) -> Folder:
    """Open a folder of any kind; `kind` is what it should be, for messages."""
    try:
        said = sealed_json.load(path / NAME)
        files = said.pop("files")
        return Folder(path, kind, Label.from_json(said), files)
    except DAMAGED as error:
        pass_on(error)
        if not path.exists():
            raise kind.refusal(path, f"no such folder; expected {kind.name}") from error
        reason = "not there" if isinstance(error, FileNotFoundError) else f"unreadable ({error})"
        raise kind.unlabelled(path, f"{NAME} in it is {reason}") from error


def label_of(path: str | Path) -> Label:
    """Read the label of any artefact; the rest is not looked at.

    Raises:
        UserError: there is none.
    """
    path = Path(path)
    return sealed.label(path, ANY) if path.is_file() else _folder(path, ANY).label


def check_consistent(paths: Iterable[str | Path], but: Iterable[str] = ()) -> dict[str, str]:
    """Check that artefacts belong together; join what they depend on.

    Two that depend on the same name with different fingerprints were not made from each other.

    Args:
        paths: of the artefacts.
        but: names of what may differ among them; left out.

    Returns:
        By name, the fingerprint of each thing on which one of them depends.

    Raises:
        UserError: two of them depend on different things of one name.
    """
    found: dict[str, tuple[str, str]] = {}
    for path in map(str, paths):
        for name, value in label_of(path).depends_on.items():
            first, known = found.setdefault(name, (path, value))
            if known != value and name not in but:
                raise UserError(
                    f"{first} and {path} do not belong together: the {name} of one is not that of "
                    f"the other (fingerprints {known} and {value}). Remove the one that is of "
                    "another run, or both, and run again."
                )
    return {name: value for name, (_, value) in sorted(found.items()) if name not in but}
