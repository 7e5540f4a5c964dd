"""Where remote files come from, and how patiently to request them."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from cr5.base.errors import UserError
from cr5.base.options import settings_class

OPTIONS = {
    "base": (
        "",
        "{path}",
        "address of a mirror, or a folder laid out like one; empty: the publisher itself",
    ),
    "contact": (
        "",
        "{text}",
        "an address or page of yours for the server's owners, who ask for it; needed unless `base` "
        "is a folder",
    ),
    "tries": (10, {"ge": 1}, "how many in a row may fail without progress"),
    "wait": (
        2.0,
        {"ge": 0},
        "seconds before the second of them; each further wait is twice as long",
    ),
    "timeout": (
        60.0,
        {"gt": 0},
        "seconds without a byte after which a connection counts as broken",
    ),
}


@dataclass(frozen=True)
class Access(settings_class("AccessOptions", OPTIONS)):
    """From where, and how patiently: the `OPTIONS`."""

    publisher: ClassVar[str] = ""
    remedy: ClassVar[str] = "correct the address"  # if a file is gone or has changed

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
