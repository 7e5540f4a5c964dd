"""Whether what a job reads belongs together.

Each label says on what its artefact depends: by a name, such as `vocabulary of en`, a fingerprint.
Two artefacts that have the same name with different fingerprints were not made of each other.
"""

from collections.abc import Iterable
from pathlib import Path

from cr5.base import contents, sealed
from cr5.base.errors import UserError
from cr5.base.labels import Kind, Label

ANY = Kind("an artefact of a run")


def label(path: str | Path) -> Label:
    """Read the label of a folder or a parquet file, whatever it is; the rest is not looked at.

    Raises:
        UserError: there is none.
    """
    path = Path(path)
    return sealed.read(path, ANY) if path.is_file() else contents.read(path, ANY)[0]


def together(paths: Iterable[str | Path], but: Iterable[str] = ()) -> dict[str, str]:
    """Join on what artefacts depend.

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
        for name, value in label(path).fits.items():
            first, known = found.setdefault(name, (path, value))
            if known != value and name not in but:
                raise UserError(
                    f"{first} and {path} do not belong together: the {name} of one is not that of "
                    f"the other (fingerprints {known} and {value}). Remove the one that is of "
                    "another run, or both, and run again."
                )
    return {name: value for name, (_, value) in sorted(found.items()) if name not in but}
