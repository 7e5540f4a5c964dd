"""The configuration section `corpus` for the source wikipedia: files, and where to get them."""

import datetime
import re
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator

from cr5.base.errors import UserError
from cr5.corpora.fetch.access import Access

OFFICIAL = "https://dumps.wikimedia.org"
LATEST = "latest"
ANEW = "look for files anew (delete `pins` of the results)"
RETENTION = (
    "dumps are kept for some weeks or months only: choose another date (`corpus.date`, "
    f"`corpus.sql_date`), {ANEW}, or use a mirror that keeps them (`corpus.base`)"
)
# Wikipedias not named after the language code (Wikimedia's own list of deprecated codes).
NAMES = {
    "be-tarask": "be_x_old",
    "gsw": "als",
    "lzh": "zh_classical",
    "nan": "zh_min_nan",
    "nb": "no",
    "rup": "roa_rup",
    "sgs": "bat_smg",
    "vro": "fiu_vro",
    "yue": "zh_yue",
}


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


class Settings(Access):
    """What to fetch, from where and how patiently."""

    publisher: ClassVar[str] = OFFICIAL
    remedy: ClassVar[str] = RETENTION

    date: Day = LATEST
    """Of the text: `latest` or YYYY-MM-DD."""
    sql_date: Day = LATEST
    """Of the table page_props: `latest` or YYYY-MM-DD."""

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


def wiki_name(language: str) -> str:
    """Return the name of a language's Wikipedia in the dumps: `da` is `dawiki`."""
    return NAMES.get(language.replace("_", "-"), language).replace("-", "_") + "wiki"
