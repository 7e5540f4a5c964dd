"""What `./run` starts: puts arguments in order, reads configuration files, becomes snakemake."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import config_files, scheduler

FILES = ("--configfile", "--configfiles")
KEYS = ("--config", "-C")
ENDINGS = (".yaml", ".yml", ".json")


def main(arguments: Sequence[str]) -> None:
    """Become snakemake, unless a configuration file has a mistake."""
    try:
        arguments = targets_first(arguments)
        for path in named_files(arguments):
            config_files.read(path)
        scheduler.check_programs()
    except UserError as error:
        sys.exit(f"run: {error}")
    os.execv(sys.executable, [sys.executable, "-m", "snakemake", *arguments])


def targets_first(arguments: Sequence[str]) -> list[str]:
    """Put in front the targets that snakemake would take for values of the option before them.

    The word after `--configfile` is a file, and so are those after it that end like one and are
    not below the results; after `--config`, words with a name and `=` are its values.

    Raises:
        UserError: a configuration file that several words follow cannot be read, or `--config` is
            given a key within a section.
    """
    groups, rest = _groups(arguments)
    targets: list[str] = []
    kept: list[str] = []
    for option, *words in groups:
        values = _values(option, words)
        kept += [option, *values]
        targets += words[len(values) :]
    return [*targets, *kept[1:], *rest]


def named_files(arguments: Sequence[str]) -> Iterator[str]:
    """Configuration files that the arguments, in order, name."""
    for option, *words in _groups(arguments)[0]:
        name, joined, value = option.partition("=")
        if name in FILES:
            yield from [value] if joined else words


def _groups(arguments: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """Each option with the words after it, "" with those before any; and what begins with `--`."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    groups = [[""]]
    for word in arguments[:end]:
        if word.startswith("-"):
            groups.append([])
        groups[-1].append(word)
    return groups, list(arguments[end:])


def _values(option: str, words: list[str]) -> list[str]:
    if option in KEYS:
        _refuse_nested(words)
        return list(takewhile(re.compile(r"[A-Za-z_]\w*=").match, words))
    if option in FILES and len(words) > 1:
        results = config_files.read(words[0]).get("results", "results")
        return [words[0], *takewhile(lambda word: _is_file(word, results), words[1:])]
    return words


def _refuse_nested(words: list[str]) -> None:
    for word in words:
        if found := re.match(r"([A-Za-z_]\w*)\.([\w.]+)=(.*)", word):
            section, key, value = found.groups()
            raise UserError(
                f"{word}: --config sets whole keys of the top level. Write {section}: "
                f"{{{key}: {value}}} into a file, and name it by --configfile."
            )


def _is_file(word: str, results: object) -> bool:
    return word.endswith(ENDINGS) and not Path(word).is_relative_to(str(results))


if __name__ == "__main__":
    main(sys.argv[1:])
