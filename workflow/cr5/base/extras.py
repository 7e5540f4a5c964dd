"""Packages that only a part of this one needs: `pip install cr5` leaves them out."""

from collections.abc import Iterator
from contextlib import contextmanager

from cr5.base.errors import UserError


@contextmanager
def needed(extra: str, by: str = "", otherwise: str = "") -> Iterator[None]:
    """Import what an extra of this package installs, for something and with a way to do without.

    UserError: a package is not installed; it names it and the command that installs it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "cr5"):
            raise
        said = f"needs the package {package}, which is not installed: pip install 'cr5[{extra}]'"
        before, after = by and f"{by}: ", otherwise and f", or {otherwise}"
        raise UserError(f"{before}{said}{after}") from error
