"""From text to tokens: by default runs of letters and combining marks, normalised, lower-cased."""

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

import numpy as np
import regex
from pydantic import ValidationError

from cr5.base import characters
from cr5.base.errors import UserError, needed
from cr5.base.languages import base_language
from cr5.contracts.keys import PathText, Section, holding
from cr5.counts.cutting import cut, is_cut, letters_without_spaces

LETTER = r"[\p{L}\p{M}]"  # or a combining mark
WORD = regex.compile(f"{LETTER}+")
WITH_DIGITS = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*")
HYPHENS = str.maketrans("\u2010\u2011", "--")
FEW = 200  # distinct characters outside words; articles have about 50
# What is not composed (NFC), or not for certain: it depends on what stands before.
MAY_COMPOSE = regex.compile(r"[\p{M}\P{NFC_Quick_Check=Yes}]")
CAPITAL = regex.compile(r"\p{Uppercase}")
# Of ASCII: all but letters become spaces.
ENDS_OF_WORDS = {point: " " for point in range(128) if not chr(point).isalpha()}
DOTLESS = str.maketrans({"I": "ı", "İ": "i"})
# Snowball's algorithms; words of other languages are left as they are, also those of Nynorsk: its
# Norwegian one is for Bokmål.
# fmt: off
SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch",
    "no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}
# fmt: on
# NLTK learns from data where sentences end; here one ends with its line, or with a full stop, an
# exclamation or question mark before a space.
SENTENCE = regex.compile(r"(?<=[.!?])\s+|\n+")
STEMS = 1 << 18  # kept for a language


def _has_stemmer(language: str) -> bool:
    return base_language(language) in SNOWBALL


class TokenRules(Section):
    """How texts become words."""

    case: Literal["lower", "keep"] = "lower"
    """`lower` folds it; `keep` takes words as they stand, as OPCA's papers."""
    tokens: Literal["letters", "words", "nltk"] = "letters"
    """`letters` are runs of letters; `words` also have digits, and hyphens within them; `nltk` are
    tokens as NLTK's word_tokenize finds them, with punctuation, as the authors' code has them; it
    needs the extra `nltk`."""
    stop_words: Annotated[PathText, holding("{language}")] | None = None
    """Files of words that are left out, with `{language}` in it; none by default. In them
    what stands behind `|` or `#` is a comment."""
    stemmer: Literal["none", "snowball"] = "none"
    """`snowball` counts stems, in the languages that Snowball has a stemmer for; it needs the extra
    `stemmer`."""

    def without_stemmer(self, languages: Iterable[str]) -> list[str]:
        """Return the languages whose words stay as they are, though stems are asked for."""
        if self.stemmer == "none":
            return []
        return [language for language in languages if not _has_stemmer(language)]


class Tokens(TokenRules):
    """The same with stop words, in lower case, by language; called with a text and its language."""

    stop_words: Mapping[str, frozenset[str]] = {}

    def __call__(self, text: str, language: str) -> list[str]:
        r"""Return the words of a text in canonical composition (NFC).

        `\w+` would break words at combining marks; letters and marks together do not. Characters
        that are not seen and other forms of letters make no difference (`base.characters`). Turkish
        and Azeri need their own lower case of I. In scripts without spaces a word also ends where
        ICU's dictionary says so, whatever the language.
        """
        cut_to_words = KINDS[self.tokens]
        text_with_breaks = self._with_breaks(text, language)
        words = cut_to_words(text_with_breaks)
        stop_words = self.stop_words.get(language)
        if stop_words:
            words = [word for word in words if word.lower() not in stop_words]
        return self._stemmed(words, language)

    def separated(self, text: str, language: str) -> str:
        """Return a text of the same words, which are all its runs of characters `in_words`."""
        if self._are_runs_of_letters(language):
            return self._with_breaks(text, language)
        words = self(text, language)
        return " ".join(words)

    def in_words(self, language: str) -> np.ndarray:
        """Return by code point which characters are parts of words in texts that are `separated`.

        All others end a word.
        """
        if self._are_runs_of_letters(language):
            return letters()
        return but_spaces()

    def _are_runs_of_letters(self, language: str) -> bool:
        """Return whether only case and normal forms have to be seen to before a text is cut."""
        has_stems = self.stemmer == "snowball" and _has_stemmer(language)
        has_stop_words = bool(self.stop_words.get(language))
        return self.tokens == "letters" and not has_stems and not has_stop_words

    def token(self, text: str, language: str) -> str:
        """Return a text that is one token already, such as an entry of a dictionary, as in bags.

        It is not cut: a word of Chinese may be two of ICU's, and one with digits is no run of
        letters. One with a space in it is none, "".
        """
        plain_text = self._in_case(characters.plain(text), language)
        words = unicodedata.normalize("NFC", plain_text).split()
        if len(words) != 1:
            return ""
        [word] = self._stemmed(words, language)
        return word

    def _with_breaks(self, text: str, language: str) -> str:
        """Return a text in its case and normal form, cut where only a dictionary knows words."""
        beyond_ascii = characters.beyond_ascii(text)
        if not (beyond_ascii and _needs_more().search(beyond_ascii)):
            return self._in_case(text, language)
        plain_text = self._in_case(characters.plain(text, beyond_ascii), language)
        # composed only now: lower case can decompose, İ to i̇
        composed = unicodedata.normalize("NFC", plain_text)
        if _may_be_cut().search(beyond_ascii):
            return cut(composed, language)
        return composed

    def _in_case(self, text: str, language: str) -> str:
        """Return a text in the case in which words are counted; hyphens of all kinds are one."""
        if self.tokens == "words":
            text = text.translate(HYPHENS)
        if self.case == "keep":
            return text
        if base_language(language) in ("tr", "az"):  # their İ may be two characters
            text = unicodedata.normalize("NFC", text).translate(DOTLESS)
        return text.lower()

    def _stemmed(self, words: list[str], language: str) -> list[str]:
        if self.stemmer == "none" or not _has_stemmer(language):
            return words
        algorithm = SNOWBALL[base_language(language)]
        stem = _stemmer(algorithm)
        return [stem(word) for word in words]

    @classmethod
    def remembered(cls, settings: Mapping[str, Any] | None) -> "Tokens":
        """Make them of what `as_json` returned; None stands for the defaults."""
        if settings is None:
            return cls()
        try:
            return cls.model_validate(settings)
        except ValidationError as error:
            raise UserError(
                f"this version does not know how the model's texts became words: {settings!r:.100};"
                " get a whole copy of the model, or use the version that made it"
            ) from error

    def as_json(self) -> dict[str, Any]:
        """Return all that is needed to split texts alike, as a model remembers it."""
        settings = self.model_dump(exclude={"stop_words"})
        settings["stop_words"] = {}
        for language, words in self.stop_words.items():
            settings["stop_words"][language] = sorted(words)
        return settings


def _words(text: str) -> list[str]:
    """Return what `WORD.findall` does, on articles in half the time."""
    if text.isascii():
        return text.translate(ENDS_OF_WORDS).split()
    ends_of_words = [character for character in set(text) if not _in_word(character)]
    if len(ends_of_words) > FEW:
        return WORD.findall(text)
    for character in ends_of_words:
        text = text.replace(character, " ")
    return text.split()


def _of_nltk(text: str) -> list[str]:
    """Return tokens as the authors of Cr5 have them: numbers, abbreviations, punctuation too."""
    split = _treebank()
    tokens = []
    for sentence in SENTENCE.split(text):
        tokens += split(sentence)
    return tokens


KINDS = {"letters": _words, "words": WITH_DIGITS.findall, "nltk": _of_nltk}
tokenise = Tokens()


@cache
def _needs_more() -> re.Pattern[str]:
    """Match characters for which lower case is not all that has to be done."""
    assigned = characters.assigned()
    replaced = characters.in_brackets(characters.replacements())
    composing = MAY_COMPOSE.findall(assigned)
    capitals = CAPITAL.findall(assigned)
    decomposing = [letter for letter in capitals if MAY_COMPOSE.search(letter.lower())]
    composed = characters.in_brackets(composing + decomposing)
    without_spaces = letters_without_spaces()
    return re.compile(f"[{replaced}{composed}{without_spaces}{characters.BEYOND}]")


@cache
def _may_be_cut() -> re.Pattern[str]:
    """Match what becomes letters of scripts without spaces, too: radicals, kana of half width."""
    replacements = characters.replacements()
    radicals = [character for character, letters in replacements.items() if is_cut(letters)]
    replaced = characters.in_brackets(radicals)
    without_spaces = letters_without_spaces()
    return re.compile(f"[{without_spaces}{replaced}]")


@cache
def letters() -> np.ndarray:
    """Return by code point whether a character is a letter or a mark."""
    points = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    all_characters = points.tobytes().decode("utf-32-le", "surrogatepass")
    letters_alone = "".join(WORD.findall(all_characters))
    encoded = letters_alone.encode("utf-32-le")
    points_of_letters = np.frombuffer(encoded, np.uint32)
    return np.isin(points, points_of_letters)


@cache
def but_spaces() -> np.ndarray:
    """Return by code point whether a character is another than a space."""
    return np.arange(sys.maxunicode + 1) != ord(" ")


@cache
def _in_word(character: str) -> bool:
    return WORD.match(character) is not None


@cache
def _treebank() -> Callable[[str], list[str]]:
    """Return NLTK's tokeniser: an optional dependency, imported when it is asked for."""
    with needed("nltk", "bags.tokens", "set it to words"):
        from nltk.tokenize.destructive import NLTKWordTokenizer
    return NLTKWordTokenizer().tokenize


@cache
def _stemmer(algorithm: str) -> Callable[[str], str]:
    """Return Snowball's stemmer: an optional dependency, imported when it is asked for."""
    with needed("stemmer", "bags.stemmer", "set it to none"):
        import snowballstemmer
    return lru_cache(STEMS)(snowballstemmer.stemmer(algorithm).stemWord)
