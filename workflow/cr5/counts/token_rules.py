"""How texts become words, by the section `bags` of the configuration."""

from collections.abc import Iterable
from pathlib import Path

from cr5.base.lines import read_lines, without_nul
from cr5.counts.rules import Rules
from cr5.counts.tokens import Tokens


def tokens_of(rules: Rules, languages: Iterable[str]) -> Tokens:
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
