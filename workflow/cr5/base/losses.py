"""What texts have lost before they came here, or still have around them: counted and told."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cr5.base.text_files import REPLACEMENT

log = logging.getLogger(__name__)

# What bytes become if they are read in another encoding: those of Windows' code pages as Latin-1
# (NEL, U+0085, is a line end), or those of UTF-8 as either, such as Ã© for é, Ð¸ for и, â€™ for ’.
BEGINNING = re.compile("[\x80-\x84\x86-\x9fÂÃÐÑâ]")  # found six times as fast as the whole
MISREAD = re.compile("[\x80-\x84\x86-\x9f]|[ÂÃÐÑ][¡-ª¬-¶¸-º¼-¾]|[a-z]Ã\xa0|â[€‚]")
MARKUP = re.compile(
    r"</(?:p|div|span|font|a|b|i|u|em|strong|su[bp]|h[1-6]|[uo]l|li|t[dhr]|table)>|<br ?/?>"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|[lr][sda]quo|[nm]dash|hellip|#\d{1,7}|#x[\da-f]{1,6});"
    r"|&[a-z]{1,2}(?:acute|grave|circ|uml|tilde|cedil|caron|ring|slash|lig);",
    re.IGNORECASE,
)
LOST = "have characters that were lost (U+FFFD)"
IN_ANOTHER_ENCODING = (
    "have characters such as U+0093 or Ã©, as text has that was read in another encoding: "
    "convert the file anew"
)
WITH_MARKUP = "have tags or entities of HTML, such as </p> or &amp;, whose names are read as words"


@dataclass
class Losses:
    """How many texts were read, are missing, or show a sign of a loss; the first place of each."""

    texts: int = 0
    missing: int = 0
    first_missing: str = ""
    with_sign: Counter[str] = field(default_factory=Counter)
    first_with_sign: dict[str, str] = field(default_factory=dict)

    def count(self, text: str | None, where: str) -> None:
        """Count a text, which can be stored (`text_files.storable`), or None for a missing one."""
        self.texts += 1
        if text is None:
            self.missing += 1
            self.first_missing = self.first_missing or where
            return
        for sign in _signs(text):
            self.with_sign[sign] += 1
            self.first_with_sign.setdefault(sign, where)

    def tell(self, source: str | Path, fate: str = "no documents") -> None:
        """Warn of what was lost; `fate` says what became of missing texts."""
        if self.missing:
            log.warning(
                "%s: %d of %d texts are missing, and %s; the first: %s",
                source, self.missing, self.texts, fate, self.first_missing,
            )  # fmt: skip
        for sign, first in self.first_with_sign.items():
            log.warning(
                "%s: %d of %d texts %s; the first: %s",
                source, self.with_sign[sign], self.texts, sign, first,
            )  # fmt: skip


def _signs(text: str) -> Iterator[str]:
    """Yield the signs of losses that a text shows."""
    if REPLACEMENT in text:
        yield LOST
    if not text.isascii() and BEGINNING.search(text) and MISREAD.search(text):
        yield IN_ANOTHER_ENCODING
    if ("<" in text or "&" in text) and MARKUP.search(text):
        yield WITH_MARKUP
