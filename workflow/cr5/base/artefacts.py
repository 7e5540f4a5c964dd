"""Artefacts that jobs pass on: each has a label, which is checked when it is read.

A folder's label is in `contents.json`, with the size and the CRC-32 of each of its files; it is
written last. A file is compared with it just before it is read, and only then, so a job that needs
the names of documents does not read their counts. Other files in the folder are ignored.
A single parquet file contains its label, see `base/sealed.py`.
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
    """A file of a folder is not what was written; the message is complete."""


@dataclass(frozen=True)
class Folder:
    """A labelled folder.

    Attributes:
        path: the folder.
        kind: its kind.
        label: its label.
        files: size in bytes and CRC-32 of each file, by name.
    """

    path: Path
    kind: Kind
    label: Label
    files: Mapping[str, tuple[int, str]]

    def file(self, name: str) -> Path:
        """Return the path of a file, after checking that it is as it was written.

        Args:
            name: path within the folder, separated by `/`.

        Raises:
            DamagedError: it is missing, cut off, changed, or not part of the folder.
        """
        path = self.path / name
        try:
            what = difference(path, *self.files[name])
        except (LookupError, TypeError, ValueError):
            what = f"no part of it, says {NAME}"
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
    """Yield a temporary folder or file; on success, label it and move it to `path`.

    Args:
        kind: kind of the artefact.
        path: its final place.
        subject: see `labels.Label`.
        depends_on: see `labels.Label`; may be filled in until the end.
        origin: what made it, as `origin.as_json` returns it.
    """
    with (atomic_file if kind.is_file else atomic_folder)(path) as temporary:
        yield temporary
        seal = sealed.seal if kind.is_file else seal_folder
        seal(temporary, kind.label(subject, depends_on, origin))


def seal_folder(folder: Path, label: Label) -> None:
    """Write a folder's label, with the sizes and checksums of its files."""
    files = {
        path.relative_to(folder).as_posix(): described(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path != folder / NAME
    }
    sealed_json.write(folder / NAME, {**label.as_json(), "files": files})


def opened(kind: Kind, path: str | Path, **subject: Any) -> Folder:
    """Open a folder of a kind.

    Args:
        kind: the expected kind.
        path: the folder.
        subject: the expected subject, such as `language="en"`.

    Raises:
        UserError: it is missing, has no label, or is of another kind, format or subject.
    """
    path = Path(path)
    found = _folder(path, kind)
    kind.check(found.label, path, subject)
    return found


def checked(kind: Kind, path: str | Path, **subject: Any) -> Label:
    """Read a parquet file's label and compare the whole file with its checksum.

    Args:
        kind: the expected kind.
        path: the file.
        subject: the expected subject, such as `language="en"`.

    Raises:
        UserError: it is missing, incomplete, changed, or of another kind, format or subject.
    """
    path = Path(path)
    label = sealed.checked(path, kind)
    kind.check(label, path, subject)
    return label


def _folder(path: Path, kind: Kind) -> Folder:
    """Open a folder of any kind; `kind` is the expected one, for messages."""
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
    """Read the label of any artefact, and nothing else.

    Raises:
        UserError: it has none.
    """
    path = Path(path)
    return sealed.label(path, ANY) if path.is_file() else _folder(path, ANY).label


def check_consistent(paths: Iterable[str | Path], but: Iterable[str] = ()) -> dict[str, str]:
    """Check that artefacts belong together; merge what they depend on.

    Two that give the same name different fingerprints were not made from each other.

    Args:
        paths: the artefacts.
        but: names that may differ among them; left out of the result.

    Returns:
        Fingerprints by name, of everything that one of them depends on.

    Raises:
        UserError: two of them have different fingerprints for one name.
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
