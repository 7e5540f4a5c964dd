"""The arguments of `./run`: which files they name, and whether they start a run."""

import re
from collections.abc import Iterator, Sequence

FILES = ("--configfile", "--configfiles")
VERBOSE = "--verbose"
# Options that make snakemake list, draw or delete something, in its own words.
OTHER = re.compile(
    r"-[hvlSDqt]|--(help|version|lint|list-.+|unlock|.*summary|archive|cleanup-.+|delete-.+|dag"
    r"|rulegraph|filegraph|d3dag|report.*|touch|quiet|print-.+|containerize|conda-(?!prefix).+"
    r"|container-cleanup.+|generate-.+|export-cwl|debug.*|logger|edit-notebook|draft-notebook"
    r"|runtime-profile)(=.*)?"
)


def named_files(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the configuration files that the arguments name, in order."""
    for option, *words in _groups(arguments):
        name, joined, value = option.partition("=")
        if name in FILES:
            yield from [value] if joined else words


def is_dry(arguments: Sequence[str]) -> bool:
    """Return whether snakemake only plans."""
    return any(re.fullmatch("--dry-?run|-[a-zA-Z]*n[a-zA-Z]*", x) for x in arguments)


def is_run(arguments: Sequence[str]) -> bool:
    """Return whether snakemake plans or runs jobs rather than lists, deletes or draws something."""
    return not any(OTHER.fullmatch(option) for option, *_ in _groups(arguments))


def _groups(arguments: Sequence[str]) -> list[list[str]]:
    """Return each option before `--` with the words after it ("" with those before any)."""
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    groups = [[""]]
    for word in arguments[:end]:
        if word.startswith("-"):
            groups.append([])
        groups[-1].append(word)
    return groups
