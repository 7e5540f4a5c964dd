"""How texts become words, by the section `bags` of the configuration."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator

from cr5.base.lines import read_lines, without_nul
from cr5.base.parts import Section
from cr5.counts.tokens import Tokens


def _of_languages(path: str) -> str:
    if path and "{language}" not in path:
        raise ValueError("a path with {language} in it")
    return path


class TokenRules(Section):
    """How texts become words."""

    case: Literal["lower", "keep"] = "lower"
    """`lower` folds it; `keep` takes words as they stand, as OPCA's papers."""
    tokens: Literal["letters", "words", "nltk"] = "letters"
    """`letters` are runs of letters; `words` also have digits, and hyphens within them; `nltk` are
    tokens as NLTK's word_tokenize finds them, with punctuation, as the authors' code has them; it
    needs the extra `nltk`."""
    stop_words: Annotated[str, AfterValidator(_of_languages)] = ""
    """Files of words that are left out, with `{language}` in it; none by default."""
    stemmer: Literal["none", "snowball"] = "none"
    """`snowball` counts stems, in the languages that Snowball has a stemmer for; it needs the extra
    `stemmer`."""


def tokens_of(rules: TokenRules, languages: Iterable[str]) -> Tokens:
    """Read the stop words that the rules name.

    Args:
        rules: of the bags.
        languages: of the texts.

    Raises:
        UserError: a file of stop words cannot be read; it names the line.
    """
    plain = Tokens(rules.case, rules.tokens)
    files = {x: rules.stop_words.replace("{language}", x) for x in languages if rules.stop_words}
    stop_words = {x: _read(path, x, plain) for x, path in files.items()}
    return Tokens(rules.case, rules.tokens, rules.stemmer, stop_words)


def _read(path: str, language: str, plain: Tokens) -> frozenset[str]:
    """Read words, any number to a line, and cut them as the texts are: *don't* may be two."""
    lines = (without_nul(line, where) for where, line in read_lines(Path(path)))
    return frozenset(word.lower() for line in lines for word in plain(line, language))
