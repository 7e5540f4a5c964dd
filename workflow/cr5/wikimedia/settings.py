"""The configuration section `corpus` for the source wikipedia: which files, and from where."""

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from cr5.errors import UserError

OFFICIAL = "https://dumps.wikimedia.org"
PRODUCTS = ("content", "cirrus", "legacy")
LATEST = "latest"
# Wikipedias whose name is not that of the language (Wikimedia's own list of deprecated codes).
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


@dataclass(frozen=True)
class Settings:
    """What to fetch, from where, and how patiently.

    Attributes:
        product: of the text: `content` (Content File Exports), `cirrus` (search index) or
            `legacy` (pages-articles).
        date: of the text: `latest` or YYYY-MM-DD.
        base: address of a mirror, or a folder laid out like one; None is Wikimedia itself.
        sql_date: of the table page_props: `latest` or YYYY-MM-DD.
        contact: for the User-Agent, so that the server's owners can write to somebody.
        pins: file with a table of pinned files to use instead of looking.
        tries: how many in a row may fail without progress.
        wait: seconds before the second of them; each further wait is twice as long.
        timeout: seconds without a byte after which a connection counts as broken.
    """

    product: str = "content"
    date: str = LATEST
    base: str | None = None
    sql_date: str = LATEST
    contact: str = ""
    pins: str | None = None
    tries: int = 10
    wait: float = 2.0
    timeout: float = 60.0

    @classmethod
    def from_config(cls, corpus: Mapping[str, Any]) -> "Settings":
        """Take what belongs here from the section `corpus`; other keys are left alone.

        Raises:
            UserError: an unknown product or something that is not a date.
        """
        known = {field.name for field in fields(cls)}
        given = {key: value for key, value in corpus.items() if key in known and value is not None}
        for key in ("date", "sql_date"):
            given[key] = day(given.get(key, LATEST), f"corpus.{key}")
        if given.get("product", "content") not in PRODUCTS:
            raise UserError(
                f"corpus.product: expected one of {', '.join(PRODUCTS)}, got {given['product']!r}"
            )
        return cls(**given)

    @property
    def root(self) -> str:
        """Address or folder below which everything lies, without a slash at the end."""
        return (self.base or OFFICIAL).rstrip("/") or "/"


def day(value: Any, where: str) -> str:
    """Return `latest` or YYYY-MM-DD, from text, a number or a date: YAML makes all of them.

    Raises:
        UserError: it is none of these.
    """
    text = str(value)
    if text == LATEST:
        return text
    digits = re.fullmatch(r"(\d{4})-?(\d\d)-?(\d\d)", text)
    try:
        return datetime.date(*(int(part) for part in digits.groups())).isoformat()
    except (AttributeError, ValueError) as error:
        raise UserError(
            f"{where}: expected latest, YYYY-MM-DD or YYYYMMDD, got {text!r}"
        ) from error


def wiki_name(language: str) -> str:
    """Return the name of a language's Wikipedia as in the dumps: `da` is `dawiki`."""
    return NAMES.get(language.replace("_", "-"), language).replace("-", "_") + "wiki"


def as_folder(address: str) -> Path | None:
    """Return the local path that an address stands for, None where it is on the network."""
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
