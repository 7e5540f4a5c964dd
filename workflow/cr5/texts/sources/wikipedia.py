"""Wikimedia's dumps: which files, and from where; see `texts.wikimedia`."""

import datetime
import re
from typing import Annotated, Any

from pydantic import BeforeValidator

from cr5.base.errors import UserError
from cr5.base.parts import Source
from cr5.texts.fetch import as_folder
from cr5.texts.wikimedia.dump import LATEST, Place

OFFICIAL = "https://dumps.wikimedia.org"


def _day(value: Any) -> str:
    """Return `latest` or YYYY-MM-DD, from text, a number or a date: YAML yields all of these."""
    text = str(value)
    if text == LATEST:
        return text
    digits = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)", text)
    if not digits:
        raise ValueError("Input should be latest, YYYY-MM-DD or YYYYMMDD")
    return datetime.date(*map(int, digits.groups())).isoformat()


Day = Annotated[str, BeforeValidator(_day)]


class Wikipedia(Source):
    """Wikimedia's dumps: which files, and from where; see `texts.wikimedia`."""

    name = "Wikipedia"
    own_rules = "wikipedia.smk"
    licence = (
        "cc-by-sa-4.0",
        "The texts are articles of Wikipedia, under the Creative Commons Attribution-ShareAlike "
        "4.0 licence (https://creativecommons.org/licenses/by-sa/4.0/): name Wikipedia's authors, "
        "and give what you make of it under the same licence.",
    )

    date: Day = LATEST
    """Of the text: `latest` or YYYY-MM-DD."""
    sql_date: Day = LATEST
    """Of the table page_props: `latest` or YYYY-MM-DD."""
    base: str = ""
    """Address of a mirror, or a folder laid out like one; empty: the publisher itself."""
    contact: str = ""
    """An address or page of yours for the server's owners, who ask for it; needed unless `base` is
    a folder."""

    @property
    def place(self) -> Place:
        """Where the files are."""
        return Place(self.base or OFFICIAL, self.contact.strip())

    def check(self) -> None:
        """Refuse to ask a server without a contact that can be sent.

        Raises:
            UserError: there is none.
        """
        contact = self.place.contact
        is_sent = as_folder(self.place.base) is None
        if is_sent and not (contact and contact.isascii() and contact.isprintable()):
            raise UserError(
                "corpus.contact: Wikimedia asks for a User-Agent by which it can reach you; "
                f"expected an e-mail address or the address of a page, in ASCII, got {contact!r}"
            )
