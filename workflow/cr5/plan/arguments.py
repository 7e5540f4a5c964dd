"""The arguments of `./run`: what is a target, a configuration file, or the value of an option."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path

from cr5.base.errors import UserError
from cr5.plan import config_files

FILES = ("--configfile", "--configfiles")
KEYS = ("--config", "-C")
CORES = ("--cores", "-c", "--jobs", "-j")
ENDINGS = (".yaml", ".yml", ".json")
VERBOSE = "--verbose"
# Options that make snakemake list, draw or delete something, in its own words.
OTHER = re.compile(
    r"-[hvlSDqt]|--(help|version|lint|list-.+|unlock|.*summary|archive|cleanup-.+|delete-.+|dag"
    r"|rulegraph|filegraph|d3dag|report.*|touch|quiet|print-.+|containerize|conda-(?!prefix).+"
    r"|container-cleanup.+|generate-.+|export-cwl|debug.*|logger|edit-notebook|draft-notebook"
    r"|runtime-profile)(=.*)?"
)


def targets_first(arguments: Sequence[str]) -> list[str]:
    """Move targets to the front if snakemake would take them for values of the option before them.

    The word after `--configfile` is a file, and so are the next ones with the suffix of one that
    are not below the results; after `--config`, words of the form `name=...` are its values.

    Raises:
        UserError: a configuration file followed by several words cannot be read, or `--config`
            has a key within a section.
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
    """Yield the configuration files that the arguments name, in order."""
    for option, *words in _groups(arguments)[0]:
        name, joined, value = option.partition("=")
        if name in FILES:
            yield from [value] if joined else words


def value(arguments: Sequence[str], options: Sequence[str]) -> str | None:
    """Find the value of the first of these options, None if none is given."""
    for argument, following in pairwise([*arguments, ""]):
        name, joined, given = argument.partition("=")
        if name in options:
            return given if joined else following
    return None


def check_cores(arguments: Sequence[str]) -> None:
    """Reject a number of cores with which no job could ever start.

    Raises:
        UserError: it names the option.
    """
    short = [x for x in arguments if re.fullmatch("-[cj]-?0+", x)]
    if short or re.fullmatch("-?0+", value(arguments, CORES) or ""):
        given = short[0] if short else next(x for x in arguments if x.split("=")[0] in CORES)
        raise UserError(
            f"{given.split('=')[0]}: at least one core is needed to run a job. Give a number, or "
            "`all`; `./run -n` shows the plan without running it."
        )


def is_dry(arguments: Sequence[str]) -> bool:
    """Return whether snakemake only plans."""
    return any(re.fullmatch("--dry-?run|-[a-zA-Z]*n[a-zA-Z]*", x) for x in arguments)


def is_run(arguments: Sequence[str]) -> bool:
    """Return whether snakemake plans or runs jobs rather than lists, deletes or draws something."""
    return not any(OTHER.fullmatch(option) for option, *_ in _groups(arguments)[0])


def _groups(arguments: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """Return each option with the words after it ("" with those before any), and all from `--`."""
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
            section, key, given = found.groups()
            raise UserError(
                f"{word}: --config sets whole keys of the top level. Write {section}: "
                f"{{{key}: {given}}} into a file, and name it by --configfile."
            )


def _is_file(word: str, results: object) -> bool:
    return word.endswith(ENDINGS) and not Path(word).is_relative_to(str(results))
