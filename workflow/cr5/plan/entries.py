"""Entries of the configuration: what each says of itself, and the part that it names."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BeforeValidator,
    Field,
    InstanceOf,
    PlainSerializer,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    create_model,
)
from pydantic_core import InitErrorDetails

from cr5.base.errors import UserError
from cr5.contracts.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.contracts.keys import PACKAGE, Name, Part, Section
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.words import ALIGNMENTS_SECTION, CHANNELS

READ_AS_TASKS = {
    DICTIONARY: DICTIONARY,
    ALIGNMENTS_SECTION: f"{ALIGNMENTS_SECTION}.sentences",
    CHANNELS: CHANNELS,
}
"""Places of the sections that are read as tasks, by the names under which their files are kept."""
PART = "(part)"  # where pydantic finds the keys of an entry's part; nobody writes such a key


@dataclass(frozen=True)
class Entry:
    """An entry of the configuration."""

    kind: Kind
    name: str
    own_keys: Section  # of the entry; its field `part` has those of the part

    @property
    def part(self) -> Part:
        """The part that it names, which has the part's keys alone."""
        return self.own_keys.part

    @property
    def place(self) -> str:
        """Where it is in the configuration."""
        if self.kind is TASKS and self.name in READ_AS_TASKS:
            return READ_AS_TASKS[self.name]
        return f"{self.kind.section}.{self.name}"

    @property
    def module(self) -> str:
        """The name of its part, or the path of one's own."""
        return getattr(self.own_keys, self.kind.key) or self.name

    @property
    def source(self) -> Path:
        """The file of its part."""
        return self.kind.source(self.name, {self.kind.key: self.module})

    @property
    def is_own(self) -> bool:
        """Whether its part is the user's own."""
        return not self.source.is_relative_to(PACKAGE)

    def plain(self) -> dict[str, Any]:
        """Return its own keys that are given, and all of its part, as JSON types."""
        keys = self.own_keys.model_dump(mode="json", exclude_unset=True, exclude={"part"})
        return keys | self.part.model_dump(mode="json")


class SystemInPrint(Entry):
    """An entry of a system, which tables and figures name."""

    @property
    def title(self) -> str:
        """Its name in print.

        It is the entry's own `title`; or the part's, followed by what the entry's name adds to the
        part's, such as `Cr5 (log)` of cr5_log; or the entry's name if the part has none.
        """
        if self.own_keys.title:
            return self.own_keys.title
        title_of_part = self.part.title
        if not title_of_part:
            return self.name
        name_of_part = self.module.rpartition("/")[2].removesuffix(".py")
        if self.name == name_of_part:
            return title_of_part
        added = self.name.removeprefix(f"{name_of_part}_").replace("_", " ")
        return f"{title_of_part} ({added})"


def _read_part(class_and_keys: tuple[type[Part], dict[str, Any]], info: ValidationInfo) -> Part:
    part_class, keys = class_and_keys
    return part_class.model_validate(keys, context=info.context)


def _with_part(entry: type[Section]) -> type[Section]:
    """Return the model of whole entries: of their own keys, and of the part that each names.

    The part is a field and no base: its class has attributes, such as `title`, whose names are
    those of an entry's keys.
    """
    part = Annotated[InstanceOf[Part], BeforeValidator(_read_part)]
    return create_model(entry.__name__, __base__=entry, part=(part, Field(alias=PART)))


WITH_PART = {kind: _with_part(kind.entry) for kind in (SYSTEMS, TASKS, SOURCES)}


def read_entry(
    kind: Kind,
    name: str,
    keys: Any,
    context: Mapping[str, Any] | None = None,
) -> Entry:
    """Read an entry; ValidationError has all its mistakes.

    Args:
        kind: of the parts that the entry may name.
        name: the entry's.
        keys: as they are given.
        context: the names that keys may be of, see `contracts.one_of`.
    """
    if not isinstance(keys, Mapping):
        kind.entry.model_validate(keys)  # which refuses it
    keys_of_entry, keys_of_part = kind.split(keys)
    try:
        part = (kind.part_class(name, keys), keys_of_part)
        own_keys = WITH_PART[kind].model_validate({**keys_of_entry, PART: part}, context=context)
    except UserError as error:
        raise _without_part(kind, keys_of_entry, context, error) from error
    if kind is SYSTEMS:
        return SystemInPrint(kind, name, own_keys)
    return Entry(kind, name, own_keys)


def _without_part(
    kind: Kind, keys: Mapping[str, Any], context: Mapping[str, Any] | None, error: UserError
) -> ValidationError:
    """Return the mistakes of an entry whose part is refused: it, and those of the entry's keys."""
    mistakes: list[InitErrorDetails] = []
    try:
        kind.entry.model_validate(keys, context=context)
    except ValidationError as invalid:
        mistakes += invalid.errors()
    names_no_part = any(mistake["loc"] == (kind.key,) for mistake in mistakes)
    if not names_no_part:
        place = ()
        if keys.get(kind.key):
            place = (kind.key,)
        mistakes.append(
            InitErrorDetails(type="value_error", loc=place, input=keys, ctx={"error": error})
        )
    return ValidationError.from_exception_data(kind.section, mistakes)


def entries_of(kind: Kind, name_type: Any = Name) -> Any:
    """Return the type of a section whose keys are names, and whose values are entries."""

    def with_names(section: Any) -> Any:
        """Put its name beside each entry, whose part may be called so."""
        if not isinstance(section, Mapping):
            return section
        return {name: (name, keys) for name, keys in section.items()}

    def read(name_and_keys: tuple[str, Any], info: ValidationInfo) -> Entry:
        name, keys = name_and_keys
        return read_entry(kind, name, keys, info.context)

    entries = dict[name_type, _read_by(read)]
    return Annotated[entries, Field(min_length=1), BeforeValidator(with_names)]


def _read_corpus(keys: Any, info: ValidationInfo) -> Entry:
    return read_entry(SOURCES, SOURCES.section, keys, info.context)


def _read_by(read: Any) -> Any:
    """Return the type of an entry that a function makes of what is given."""
    return Annotated[
        InstanceOf[Entry],
        BeforeValidator(read),
        PlainSerializer(Entry.plain),
        WithJsonSchema({"type": "object"}),
    ]


Corpus = _read_by(_read_corpus)
"""The type of the section `corpus`, which is an entry by itself."""
