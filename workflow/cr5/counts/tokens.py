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
from cr5.base.parts import Section, holding
from cr5.counts.cutting import cut, is_cut, letters_without_spaces

LETTER = r"[\p{L}\p{M}]"  # or a combining mark
WORD = regex.compile(f"{LETTER}+")
WITH_DIGITS = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*")
HYPHENS = str.maketrans("\u2010\u2011", "--")
FEW = 200  # distinct characters outside words; articles have about 50
# What is not composed (NFC), or not for certain: it depends on what stands before.
MAY_COMPOSE = regex.compile(r"[\p{M}\P{NFC_Quick_Check=Yes}]")
CAPITAL = regex.compile(r"\p{Uppercase}")
DOTLESS = str.maketrans({"I": "ı", "İ": "i"})
# Snowball's algorithms; words of other languages are left as they are, also those of Nynorsk: its
# Norwegian one is for Bokmål.
SNOWBALL = {
    **{"ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek"},
    **{"en": "english", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french"},
    **{"ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian"},
    **{"it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch"},
    **{"no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian"},
    **{"sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish"},
}
# NLTK learns from data where sentences end; here one ends with its line, or with a full stop, an
# exclamation or question mark before a space.
SENTENCE = regex.compile(r"(?<=[.!?])\s+|\n+")
STEMS = 1 << 18  # kept for a language


class TokenRules(Section):
    """How texts become words."""

    case: Literal["lower", "keep"] = "lower"
    """`lower` folds it; `keep` takes words as they stand, as OPCA's papers."""
    tokens: Literal["letters", "words", "nltk"] = "letters"
    """`letters` are runs of letters; `words` also have digits, and hyphens within them; `nltk` are
    tokens as NLTK's word_tokenize finds them, with punctuation, as the authors' code has them; it
    needs the extra `nltk`."""
    stop_words: Annotated[str, holding("{language}")] | None = None
    """Files of words that are left out, with `{language}` in it; none by default. In them
    what stands behind `|` or `#` is a comment."""
    stemmer: Literal["none", "snowball"] = "none"
    """`snowball` counts stems, in the languages that Snowball has a stemmer for; it needs the extra
    `stemmer`."""

    def without_stemmer(self, languages: Iterable[str]) -> list[str]:
        """Return the languages whose words stay as they are, though stems are asked for."""
        if self.stemmer == "none":
            return []
        return [language for language in languages if base_language(language) not in SNOWBALL]


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
        words = KINDS[self.tokens](self._with_breaks(text, language))
        if stop_words := self.stop_words.get(language):
            words = [word for word in words if word.lower() not in stop_words]
        return self._stemmed(words, base_language(language))

    def separated(self, text: str, language: str) -> str:
        """Return a text of the same words, which are all its runs of characters `in_words`."""
        if self._are_runs_of_letters(language):
            return self._with_breaks(text, language)
        return " ".join(self(text, language))

    def in_words(self, language: str) -> np.ndarray:
        """Return by code point which characters are parts of words in texts that are `separated`.

        The others end a word.
        """
        return letters() if self._are_runs_of_letters(language) else but_spaces()

    def _are_runs_of_letters(self, language: str) -> bool:
        """Return whether only case and normal forms have to be seen to before a text is cut."""
        stems = self.stemmer == "snowball" and base_language(language) in SNOWBALL
        return self.tokens == "letters" and not stems and not self.stop_words.get(language)

    def token(self, text: str, language: str) -> str:
        """Return a text that is one token already, such as an entry of a dictionary, as in bags.

        It is not cut: a word of Chinese may be two of ICU's, and one with digits is no run of
        letters. One with a space in it is none, "".
        """
        text = self._in_case(characters.plain(text), language)
        words = unicodedata.normalize("NFC", text).split()
        return self._stemmed(words, base_language(language))[0] if len(words) == 1 else ""

    def _with_breaks(self, text: str, language: str) -> str:
        others = characters.beyond_ascii(text)
        if not (others and _needs_more().search(others)):
            return self._in_case(text, language)
        text = self._in_case(characters.plain(text, others), language)
        text = unicodedata.normalize("NFC", text)  # now: lower case can decompose, İ to i̇
        return cut(text, language) if _may_be_cut().search(others) else text

    def _in_case(self, text: str, language: str) -> str:
        if self.tokens == "words":
            text = text.translate(HYPHENS)
        if self.case == "keep":
            return text
        if base_language(language) in ("tr", "az"):  # their İ may be two characters
            text = unicodedata.normalize("NFC", text).translate(DOTLESS)
        return text.lower()

    def _stemmed(self, words: list[str], base: str) -> list[str]:
        if self.stemmer == "snowball" and base in SNOWBALL:
            return list(map(_stemmer(SNOWBALL[base]), words))
        return words

    @classmethod
    def remembered(cls, said: Mapping[str, Any] | None) -> "Tokens":
        """Make them of what `as_json` returned; the default of None, as of older models."""
        try:
            return cls.model_validate({} if said is None else said)
        except ValidationError as error:
            raise UserError(
                f"this version does not know how the model's texts became words: {said!r:.100}; "
                "get a whole copy of the model, or use the version that made it"
            ) from error

    def as_json(self) -> dict[str, Any]:
        """Return all that is needed to split texts alike, as a model remembers it."""
        stop_words = {x: sorted(y) for x, y in self.stop_words.items()}
        return self.model_dump(exclude={"stop_words"}) | {"stop_words": stop_words}


def _words(text: str) -> list[str]:
    """The result of `WORD.findall`, on articles in half the time."""
    others = [character for character in set(text) if not _in_word(character)]
    if len(others) > FEW:
        return WORD.findall(text)
    for character in others:
        text = text.replace(character, " ")
    return text.split()


def _of_nltk(text: str) -> list[str]:
    """Tokens as the authors of Cr5 counted them: numbers, abbreviations and punctuation too."""
    split = _treebank()
    return [token for sentence in SENTENCE.split(text) for token in split(sentence)]


KINDS = {"letters": _words, "words": WITH_DIGITS.findall, "nltk": _of_nltk}
tokenise = Tokens()


@cache
def _needs_more() -> re.Pattern[str]:
    """Match characters for which lower case is not all that is to be done."""
    every = characters.assigned()
    capitals = CAPITAL.findall(every)
    decomposing = [letter for letter in capitals if MAY_COMPOSE.search(letter.lower())]
    in_brackets = characters.in_brackets(characters.replacements())
    in_brackets += characters.in_brackets(MAY_COMPOSE.findall(every) + decomposing)
    return re.compile(f"[{in_brackets}{letters_without_spaces()}{characters.BEYOND}]")


@cache
def _may_be_cut() -> re.Pattern[str]:
    """Match what becomes letters of scripts without spaces, too: radicals, kana of half width."""
    written = characters.replacements()
    becoming = [character for character, letters in written.items() if is_cut(letters)]
    return re.compile(f"[{letters_without_spaces()}{characters.in_brackets(becoming)}]")


@cache
def letters() -> np.ndarray:
    """Return by code point whether a character is a letter or a mark."""
    points = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    characters_of_points = points.tobytes().decode("utf-32-le", "surrogatepass")
    letters_alone = "".join(WORD.findall(characters_of_points))
    return np.isin(points, np.frombuffer(letters_alone.encode("utf-32-le"), np.uint32))


@cache
def but_spaces() -> np.ndarray:
    """Return by code point whether a character is another than a space."""
    return np.arange(sys.maxunicode + 1) != ord(" ")


@cache
def _in_word(character: str) -> bool:
    return WORD.match(character) is not None


@cache
def _treebank() -> Callable[[str], list[str]]:
    """NLTK's tokeniser: an optional dependency, imported when the configuration asks for it."""
    with needed("nltk", "bags.tokens", "set it to words"):
        from nltk.tokenize.destructive import NLTKWordTokenizer
    return NLTKWordTokenizer().tokenize


@cache
def _stemmer(algorithm: str) -> Callable[[str], str]:
    """Snowball's: an optional dependency, imported when the configuration asks for it."""
    with needed("stemmer", "bags.stemmer", "set it to none"):
        import snowballstemmer
    return lru_cache(STEMS)(snowballstemmer.stemmer(algorithm).stemWord)
