"""Tables of keys: what `cr5 info --options` and the pages say of parts and of sections."""

from difflib import get_close_matches
from typing import NamedTuple

from pydantic.fields import FieldInfo

from cr5.app.in_words import allowed, written
from cr5.base.errors import UserError
from cr5.base.parts import FILE, FOLDER, SOURCES, SYSTEMS, TASKS, Part, Section, leaves
from cr5.plan.config import Configuration
from cr5.plan.kinds import KINDS, Setting
from cr5.plan.words import ALIGNMENTS, VECTORS

PARTS = {"systems": SYSTEMS, "tasks": TASKS, "corpus": SOURCES}
SECTIONS = {"configuration": Configuration, "settings": Setting}
SECTIONS |= {section: kind.entry for section, kind in PARTS.items()}
NAMED = ("systems", "tasks", "settings")  # each of their keys names an entry
VARIANTS = {"settings": KINDS, "vectors": VECTORS, "alignments": ALIGNMENTS}


class Row(NamedTuple):
    """What a table says of a key."""

    key: str
    default: str
    may_be: str
    meaning: str


def rows(name: str) -> list[Row]:
    """Return the table of the keys of a part or a section.

    Args:
        name: a section or a part, such as `splits`, `evaluation.examples` or `cr5`, or the path of
            a part of one's own; or a section and what stands in it, such as `settings joint`.

    Raises:
        UserError: there is nothing of this name.
    """
    kind, prefix = _named(name)
    schema = kind.model_json_schema()["properties"]
    shared = {*Setting.model_fields} if kind in KINDS.values() else {}
    paths = kind.marked(FILE, FOLDER) if issubclass(kind, Part) else ()
    return [
        Row(
            prefix + key,
            _default(field),
            "a path" if key in paths else allowed(schema[key]),
            " ".join((field.description or "").split()).replace("null:", "none:"),
        )
        for key, field in kind.model_fields.items()
        if key not in shared and not _is_section(field) and (prefix, key) != ("", "corpus")
    ]


def _named(name: str) -> tuple[type[Section], str]:
    """Return the class of a name, and how its keys begin."""
    section, _, variant = name.partition(" ")
    prefix = f"{section}.{{name}}." if section in NAMED else f"{section}."
    if variant and section in PARTS:
        part = PARTS[section]
        return part.kind(variant, {part.key: variant}), prefix if section == "corpus" else ""
    if variant in VARIANTS.get(section, ()):
        return VARIANTS[section][variant], prefix
    if not variant and (kind := SECTIONS.get(name) or _section(name.split("."))):
        return kind, "" if kind is Configuration else prefix
    known = [(home, x) for home, part in PARTS.items() for x in part.known()]
    for home, x in known:
        if x == name:
            return _named(f"{home} {x}")
    if name.endswith(".py"):
        return _own(name), ""
    names = [*SECTIONS, *Configuration.model_fields, *(x for _, x in known)]
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(names)}"
    raise UserError(f"there is no section and no part {name!r}; {hint}")


def _section(place: list[str]) -> type[Section] | None:
    """Return the section at a place of the configuration."""
    kinds: list[type[Section]] = [Configuration]
    for key in place:
        fields = [x.model_fields[key] for x in kinds if key in x.model_fields]
        kinds = [kind for field in fields for kind in _sections(field)]
    return kinds[0] if kinds else None


def _own(path: str) -> type[Part]:
    """Return the class in a module of one's own, whichever kind of part it is."""
    for part in PARTS.values():
        try:
            return part.kind(path, {part.key: path})
        except UserError as error:
            said = error
    raise said


def _sections(field: FieldInfo) -> list[type[Section]]:
    found = [x for x in leaves(field.annotation) if isinstance(x, type)]
    return [x for x in found if issubclass(x, Section)]


def _is_section(field: FieldInfo) -> bool:
    return bool(_sections(field))


def _default(field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    return "required" if field.is_required() else written(default)
