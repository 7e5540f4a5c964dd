"""Where remote files come from, and how patiently to request them."""

from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from cr5.base.errors import UserError
from cr5.base.parts import Section


class Access(Section):
    """From where, and how patiently."""

    publisher: ClassVar[str] = ""
    remedy: ClassVar[str] = "correct the address"  # if a file is gone or has changed

    base: str = ""
    """Address of a mirror, or a folder laid out like one; empty: the publisher itself."""
    contact: str = ""
    """An address or page of yours for the server's owners, who ask for it; needed unless `base` is
    a folder."""
    tries: PositiveInt = 10
    """How many in a row may fail without progress."""
    wait: NonNegativeFloat = 2.0
    """Seconds before the second of them; each further wait is twice as long."""
    timeout: PositiveFloat = 60.0
    """Seconds without a byte after which a connection counts as broken."""

    @property
    def root(self) -> str:
        """Base address or folder, without a trailing slash."""
        return (self.base or self.publisher).rstrip("/") or "/"

    def checked_contact(self) -> str:
        """Return the contact as it is sent; most servers ask for none."""
        return self.contact.strip() or "no contact"


def as_folder(address: str) -> Path | None:
    """Return the local path of an address, None if it is on the network."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return None
    if parts.scheme == "file":
        return Path(unquote(parts.path))
    if "://" in address:
        raise UserError(
            f"{address}: expected an address with http, https or file, or a folder; "
            "correct `corpus.base`"
        )
    return Path(address)
