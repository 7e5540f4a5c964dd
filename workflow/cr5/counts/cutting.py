"""Words of scripts that are written without spaces: ICU's dictionaries know where they end."""

import logging
import re
from collections.abc import Callable, Iterable
from functools import cache

import regex

from cr5.base.characters import assigned, in_brackets
from cr5.base.errors import UserError, needed
from cr5.base.languages import base_language

log = logging.getLogger(__name__)

# Languages of which no word can be found without ICU; texts are cut by script, in any language.
WITHOUT_SPACES = frozenset(
    ("th", "ja", "zh", "km", "lo", "my", "yue", "lzh", "wuu", "gan", "hak", "nan", "cdo")
)
HAN = regex.compile(r"\p{Han}")
HAN_BEYOND = "\U00020000-\U0003ffff"  # the basic plane
KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}\u30fc]")
# Thai, Lao, Khmer, Burmese: ICU does not cut them from other letters.
SOUTH_EAST = regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
# Unicode's other scripts whose words only a dictionary could tell, such as Tai Tham
UNKNOWN = regex.compile(r"(?V1)[\p{Line_Break=SA}--[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]")
MARK = regex.compile(r"\p{M}")
LOCALE = "en"  # whichever: the dictionaries go by script


@cache
def letters_without_spaces() -> str:
    """Return all characters of such scripts, in the basic plane, as `re` has them in brackets."""
    letters = [_bracketed(script) for script in (KANA, SOUTH_EAST, UNKNOWN, HAN)]
    return "".join(letters) + HAN_BEYOND


def is_cut(word: str) -> bool:
    """Whether a word has a letter of a script that ICU cuts."""
    return _runs(with_han=True).search(word) is not None


def cut(text: str, language: str) -> str:
    """Return a text with line ends where words of scripts without spaces end.

    All other text stays as it is. Chinese characters in Korean are parts of words between spaces,
    and stay so.
    """
    if UNKNOWN.search(text):
        _tell_unknown(language)
    runs = _runs(with_han=base_language(language) != "ko")
    parts = runs.split(text)  # at odd places what is to be cut
    if len(parts) == 1:
        return text
    breaker = _icu(language)
    if breaker is None:
        return text
    segments = "\n".join(breaker("\n".join(parts[1::2]), LOCALE))
    cut_runs = segments.split("\n\n\n")  # a line end between runs is a segment, too
    parts[1::2] = [_apart(run) for run in cut_runs]
    return "".join(parts)


def _apart(run: str) -> str:
    """Put line ends around a run, but for where it ends in a letter of South East Asia."""
    first = run[0]
    last = run[-1]
    if first not in _south_east():
        run = "\n" + run
    if last not in _south_east():
        run += "\n"
    return run


@cache
def _south_east() -> frozenset[str]:
    """Return the letters of South East Asia that ICU does not cut from other letters."""
    return frozenset(SOUTH_EAST.findall(assigned()))


@cache
def _runs(with_han: bool) -> re.Pattern[str]:
    """Match runs of letters that ICU knows the words of, with their marks; `re` is the faster."""
    letters = _bracketed(KANA) + _bracketed(SOUTH_EAST)
    if with_han:
        letters += _bracketed(HAN) + HAN_BEYOND
    return re.compile(f"([{letters}][{letters}{_bracketed(MARK)}]*)")


def _bracketed(characters: regex.Pattern[str]) -> str:
    """Return the characters of the basic plane that match, as `re` has them in brackets."""
    return in_brackets(characters.findall(assigned()))


@cache
def _icu(language: str) -> Callable[[str, str], Iterable[str]] | None:
    """Return ICU's word breaker: an optional dependency, imported when a text needs it.

    Without it a language that is written so is refused. In another one it is told once that the
    runs stay whole: a few foreign words should not end a run.
    """
    try:
        with needed("icu", f"cutting words of {language!r}", "leave the language out"):
            from icu4py.breakers import WordBreaker
    except UserError as error:
        if base_language(language) in WITHOUT_SPACES:
            raise
        log.warning("%s; until then text without spaces is one word up to the next sign", error)
        return None
    return WordBreaker


@cache
def _tell_unknown(language: str) -> None:
    log.warning(
        "%r has text in a script that is written without spaces, and no dictionary knows its words "
        "(Tai Tham, New Tai Lue, Tai Le, Tai Viet): what stands between spaces or signs counts as "
        "one word, and few texts share it; put spaces between words",
        language,
    )
