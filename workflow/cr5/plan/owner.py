"""Which configuration files made a folder of results; others would overwrite it.

A marker in the folder names the files. Values on the command line and changes within the same
files do not count: snakemake then reruns the affected jobs.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from cr5.base.errors import UserError
from cr5.base.files import atomic_file

DEFAULT = "config/config.yaml"
MARKER = "made_by.txt"


def check(results: str | Path, given: Sequence[str | Path]) -> None:
    """Reject a folder that other configuration files made.

    Args:
        results: folder of the corpus; need not exist.
        given: configuration files on the command line, in order; none for the default.

    Raises:
        UserError: it names both, and the remedy.
    """
    marker, own = Path(results) / MARKER, _names(given)
    owner = _owner(marker)
    if owner not in ([], own) and not _is_description(results, own):
        raise UserError(
            f"{results} was made by {' and '.join(owner)}; {' and '.join(own)} would overwrite it: "
            "give it a `corpus.name` or `results` of its own, or, to let it take the folder over, "
            f"remove {marker}"
        )


def claim(results: str | Path, given: Sequence[str | Path]) -> None:
    """Write the marker unless there is one; arguments as for `check`."""
    own = _names(given)
    if not _owner(Path(results) / MARKER) and not _is_description(results, own):
        with atomic_file(Path(results) / MARKER) as path:
            path.write_text("".join(f"{name}\n" for name in own), encoding="utf-8")


def _names(given: Sequence[str | Path]) -> list[str]:
    """Return paths relative to the working folder, as both may be moved together."""
    return [
        os.path.relpath(Path(path).resolve(), Path.cwd().resolve()) for path in given or [DEFAULT]
    ]


def _owner(marker: Path) -> list[str]:
    try:
        return marker.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except UnicodeDecodeError:
        raise UserError(
            f"{marker}: damaged, expected names of configuration files; remove {marker} and run "
            "again"
        ) from None


def _is_description(results: str | Path, own: list[str]) -> bool:
    """Return whether the configuration is the one that a run wrote into its results."""
    return own == _names([Path(results) / "config.yaml"])
