"""The sections `systems` and `tasks`: named modules, each with options of its own.

A module declares literals in its source: its `OPTIONS`, see `cr5.base.options`; and, of a system,
`NEEDS`, what it gets besides the documents, and `WITHOUT_COUNTS`, the options under which documents
may already be weights, None if they must be counts. Nothing is imported to read them.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from cr5.base.errors import UserError
from cr5.base.options import Option
from cr5.fitting.seeds import SECTION
from cr5.fitting.validation_options import OWN
from cr5.plan import declared
from cr5.plan.allowed import NAME, NAME_FORM, expected, is_allowed, names_language, options_of
from cr5.plan.catalogue import PACKAGE, constant, known, source_of
from cr5.plan.mistakes import number_hint, of_others, raise_any, unexpected, unknown

NEEDS = ("counts", "vectors", "seeds", "alignments", "texts", "channels")
RESERVED = {"systems": ("module", declared.TITLE, OWN), "tasks": ("module",)}
"""Keys of an entry that are no options of its module."""
COMMON = PACKAGE / "fitting" / "second_stage.py"
"""The module with options that a system may have beside its own; left out, they do nothing."""
NEAR = 0.8  # such as `ranks` for `rank`, but not for `rerank`
SEEDS = "seeds"  # an option of systems that may name the section `dictionary`
# Options that may need this section, and what to do without it.
OF_DICTIONARY = {
    SEEDS: "let it begin with `identical` strings",
    "dictionary_weights": "leave this option out",
}

Modules = Mapping[str, Mapping[str, Any]]
"""By name: `module`, if it is another one than the name says, a system's `title`, and options."""


def with_defaults(section: str, modules: Modules) -> dict[str, dict[str, Any]]:
    """Fill in the options of modules that the configuration leaves out.

    Args:
        section: `systems` or `tasks`.
        modules: the content of the section, not yet checked.

    Raises:
        MistakesError: an invalid name, not a mapping, an unknown module or option, or a value that
            the module does not allow or that is of another kind than the default.
    """
    good, mistakes = checked(section, modules)
    raise_any(mistakes)
    return good


def checked(section: str, modules: Modules) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return the modules without mistakes, filled in, and the mistakes of the others."""
    wrong = {name: [*_wrong(section, name, options)] for name, options in modules.items()}
    good = {
        name: defaults_of(source_of(section, name, options)) | dict(options)
        for name, options in modules.items()
        if not wrong[name]
    }
    return good, [x for found in wrong.values() for x in found]


def defaults_of(source: Path) -> dict[str, Any]:
    """Return the options of a module without configuration."""
    return {name: option.default for name, option in options_of(source).items()}


def needs_of(name: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a system gets besides the documents: some of `NEEDS`.

    Raises:
        UserError: its module asks for something else.
    """
    source = source_of("systems", name, options)
    found = constant(source, "NEEDS", ())
    if not isinstance(found, tuple | list) or not set(found) <= set(NEEDS):
        raise UserError(
            f"systems.{name}: NEEDS in {source} must be a tuple of some of {', '.join(NEEDS)}, "
            f"such as ('vectors',), found {found!r}"
        )
    return tuple(found)


def counts_asked_for(name: str, options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return which of a system's options must change for documents that are not counts.

    Args:
        name: the system's name.
        options: with all defaults.

    Returns:
        The required value of each option to change; empty if none; None if no value helps.
    """
    wanted = constant(source_of("systems", name, options), "WITHOUT_COUNTS", {})
    if wanted is None:
        return None
    return {key: value for key, value in wanted.items() if options.get(key) != value}


def unmet_needs(systems: Modules, given: Mapping[str, bool]) -> Iterator[str]:
    """Report systems that need something unknown or not configured.

    Args:
        systems: by name.
        given: whether the sections `alignments` and `dictionary` are configured; one with mistakes
            is left out.
    """
    for name, options in systems.items():
        yield from _unmet(name, options, given)


def strange_languages(systems: Modules, languages: Collection[str]) -> Iterator[str]:
    """Report options that name a language outside those that train together.

    Args:
        systems: the fitted systems by name; other systems' options are not checked.
        languages: those that train together.
    """
    known = f"one of the languages that train together, {', '.join(languages)}"
    for name, options in systems.items():
        for key, option in options_of(source_of("systems", name, options)).items():
            if names_language(options[key], option.allowed) and options[key] not in languages:
                yield unexpected(f"systems.{name}.{key}", known, options[key])


def _unmet(name: str, options: Mapping[str, Any], given: Mapping[str, bool]) -> Iterator[str]:
    try:
        needed = needs_of(name, options)
    except UserError as error:
        yield str(error)
        return
    for key, remedy in OF_DICTIONARY.items() if "seeds" in needed else ():
        is_used = options.get(key) == SECTION if key == SEEDS else options.get(key)
        if is_used and not given.get(SECTION, True):
            yield (
                f"systems.{name}.{key}: it learns from a dictionary; give `dictionary: "
                f'{{dictionaries: "folder/{{source}}-{{target}}.txt"}}`, or {remedy}'
            )
    if "alignments" in needed and not given.get("alignments", True):
        yield (
            f"systems.{name}: needs word translation tables; give "
            '`alignments: {path: "folder/{source}-{target}.tsv"}`, or have them made of parallel '
            "text, `alignments: {aligner: eflomal}`, or leave out this system"
        )


def _wrong(section: str, name: str, options: Any) -> Iterator[str]:
    place = f"{section}.{name}"
    if not re.fullmatch(NAME, name):
        yield unexpected(place, NAME_FORM, name)
    elif not isinstance(options, dict):
        yield unexpected(place, "a mapping of options, {} for none", options)
    elif not isinstance(options.get("module", name), str):
        yield unexpected(f"{place}.module", "a name or a path, path/to/it.py", options["module"])
    elif section == "systems" and not declared.is_line(options.get(declared.TITLE, name)):
        yield unexpected(
            f"{place}.{declared.TITLE}",
            "a line of text, its name in print",
            options[declared.TITLE],
        )
    else:
        yield from _wrong_options(section, name, options)


def _wrong_options(section: str, name: str, options: Mapping[str, Any]) -> Iterator[str]:
    try:
        own = options_of(source_of(section, name, options))
        own |= options_of(COMMON) if section == "systems" else {}
    except UserError as error:
        yield str(error)
        return
    if section == "systems":
        yield from declared.mistakes(name, options)
    for key, value in options.items():
        place = f"{section}.{name}."
        if key in (reserved := RESERVED[section]):
            continue
        if key not in own:
            yield _unknown(section, name, options, key, [*own, *reserved])
        else:
            yield from wrong_value(place + key, value, own[key])


def _unknown(section: str, name: str, options: Modules, key: str, own: list[str]) -> str:
    """Report an option that a module does not have; name modules that do."""
    others = [x for x in known(section) if key in options_of(source_of(section, x, {}))]
    if not others or get_close_matches(key, own, 1, NEAR):
        return unknown(f"{section}.{name}.", key, own)
    module = f"{section[:-1]} {options.get('module', name)}"
    return of_others(f"{section}.{name}.{key}", module, others)


def wrong_value(place: str, value: Any, option: Option) -> Iterator[str]:
    """Report a value that an option may not have.

    Args:
        place: the option's place in the configuration.
        value: given there.
        option: as its module declares it.
    """
    if not _fits(value, option.default):
        yield unexpected(place, f"something like {option.default!r}", value)
    elif value == [] == option.default:
        return  # a list that need not have any
    elif not is_allowed(value, option.allowed):
        yield unexpected(place, expected(option.allowed, option.default, value), value)


def _fits(value: Any, default: Any) -> bool:
    """Return whether a value fits the default's kind: None takes all, text also a number."""
    if default is None or isinstance(default, bool | dict):
        return default is None or isinstance(value, type(default))
    if isinstance(default, list | tuple):
        return isinstance(value, list) and all(_fits(x, default[0]) for x in value if default)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(default, str):
        return is_number or (isinstance(value, str) and not number_hint(value))
    return is_number and (isinstance(default, float) or isinstance(value, int))
