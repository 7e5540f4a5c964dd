"""Where remote files come from, and how patiently to request them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar
from urllib.parse import unquote, urlsplit

from pydantic import Field

from cr5.base.errors import UserError


@dataclass(frozen=True)
class Access:
    """From where, and how patiently.

    Attributes:
        base: address of a mirror, or a folder laid out like one; none is the publisher itself.
        contact: an address or page of yours for the server's owners, who ask for it; needed unless
            `base` is a folder.
        tries: how many in a row may fail without progress.
        wait: seconds before the second of them; each further wait is twice as long.
        timeout: seconds without a byte after which a connection counts as broken.
    """

    publisher: ClassVar[str] = ""
    remedy: ClassVar[str] = "correct the address"  # if a file is gone or has changed

    base: Annotated[str, Field(min_length=1)] | None = None
    contact: str = ""
    tries: Annotated[int, Field(ge=1)] = 10
    wait: Annotated[float, Field(ge=0)] = 2.0
    timeout: Annotated[float, Field(gt=0)] = 60.0

    @property
    def root(self) -> str:
        """Base address or folder, without a trailing slash."""
        return (self.base or self.publisher).rstrip("/") or "/"

    def checked_contact(self) -> str:
        """Return the contact as it is sent.

        Raises:
            UserError: there is none, or it cannot be sent.
        """
        contact = self.contact.strip()
        if not (contact and contact.isascii() and contact.isprintable()):
            raise UserError(
                "corpus.contact: Wikimedia asks for a User-Agent by which it can reach you; "
                f"expected an e-mail address or the address of a page, in ASCII, got {contact!r}"
            )
        return contact


@dataclass(frozen=True)
class Anywhere(Access):
    """Servers that do not ask for a contact."""

    def checked_contact(self) -> str:
        """Return the contact, or what is sent instead."""
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
            "correct `corpus.base` or the table of pins"
        )
    return Path(address)
