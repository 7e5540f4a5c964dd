"""The configuration section `corpus` for the source wikipedia: which files, and from where."""

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from cr5.base.errors import UserError
from cr5.corpora.fetch.access import Access

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
class Settings(Access):
    """What to fetch; from where and how patiently, `Access` says.

    Attributes:
        product: of the text: `content` (Content File Exports), `cirrus` (search index) or
            `legacy` (pages-articles).
        date: of the text: `latest` or YYYY-MM-DD.
        sql_date: of the table page_props: `latest` or YYYY-MM-DD.
        pins: file with a table of pinned files to use instead of looking.
    """

    publisher: ClassVar[str] = OFFICIAL

    product: str = "content"
    date: str = LATEST
    sql_date: str = LATEST
    pins: str | None = None

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
