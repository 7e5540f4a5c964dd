"""Parts of a configuration: sources, systems and tasks, as classes whose fields are their keys.

    class Mine(System):
        \"\"\"What it does, and whose idea it is: its paragraph in the pages.\"\"\"

        title = "Mine"
        rank: PositiveInt = 300
        \"\"\"What the key means.\"\"\"

        def fit(self, training): ...

A part's module holds its class. Import what is heavy inside the methods that need it, as plans are
made from the fields alone.
"""

from __future__ import annotations

import ast
import inspect
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Annotated, Any, TypeVar, Union, get_args

from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
)

from cr5.base.languages import by_code, code_of, folded_code, names_of, path_of
from cr5.base.text_files import checked_encoding

T = TypeVar("T")
PACKAGE = Path(__file__).resolve().parents[1]
LONGEST_NAME = 255  # of a file, in bytes


def _is_a_line(text: str) -> str:
    if not (text.strip() and text.isprintable()):
        raise ValueError("Input should be a line of text")
    return text


def one_of(section: str) -> AfterValidator:
    """Accept a name that a section of the configuration has; outside of one, any name."""

    def check(name: str, info: ValidationInfo) -> str:
        names = (info.context or {}).get(section, [name])
        if name not in names:
            raise ValueError(f"Input should be one of {', '.join(names)}")
        return name

    return AfterValidator(check)


def or_all(section: str) -> AfterValidator:
    """Take all names that a section of the configuration has where none are given."""

    def chosen(names: Sequence[str] | None, info: ValidationInfo) -> Sequence[str] | None:
        if names is not None:
            return names
        return (info.context or {}).get(section, [])

    return AfterValidator(chosen)


def holding(*parts: str) -> AfterValidator:
    """Accept text that contains all of the parts, such as `{language}`."""

    def check(value: str) -> str:
        if not all(part in value for part in parts):
            raise ValueError(f"Input should be a path with {' and '.join(parts)} in it")
        return value

    return AfterValidator(check)


def each_once(values: Sequence[Any]) -> Sequence[Any]:
    """Accept a list without duplicates."""
    if len(set(values)) < len(values):
        raise ValueError("Input should have each entry once")
    return values


def _in_order(values: Mapping[str, T]) -> dict[str, T]:
    """Sort a mapping whose order means nothing: what is made with it is not made again for it."""
    return dict(sorted(values.items()))


def _can_be_made(path: str) -> str:
    """Accept a folder that is there, or may be made in one that is."""
    folder = Path(path).absolute()
    try:
        while not folder.exists():
            folder = folder.parent
    except OSError as error:
        raise ValueError(f"Input should be a folder that can be made ({error})") from error
    if not folder.is_dir():
        raise ValueError(f"Input should be a folder, but {folder} is a file")
    return os.path.normpath(path)  # snakemake warns of `./a` and `a/`


def _as_text(path: Any) -> Any:
    """Return a path as text; ValueError for what is hardly meant for one: a number, a long text."""
    if type(path) in (int, float):
        raise ValueError("Input should be a path; quote one that is a number")
    if isinstance(path, Path):
        path = str(path)
    if isinstance(path, str) and "://" not in path:
        longest_name = max(path.split("/"), key=len)
        if len(os.fsencode(longest_name)) > LONGEST_NAME:
            raise ValueError(f"Input should be a path, of names of {LONGEST_NAME} bytes at most")
    return path


def _is_named(path: str, info: ValidationInfo) -> str:
    """Accept a file of an entry of the configuration; outside of one, it may be named later."""
    if info.context is not None and not path:
        raise ValueError("Input should be a path, with {language} in it where each has its own")
    return path


Once = AfterValidator(each_once)
InOrder = AfterValidator(_in_order)
LANGUAGE = object()  # marks text that stands for a language
FILE = object()  # marks text that stands for a file
Code = Annotated[str, AfterValidator(code_of)]
"""A language's code, such as en, pt_br or zh_hant; pt-BR is pt_br."""
Codes = Annotated[dict[str, str], AfterValidator(by_code), InOrder]
"""By a language's code, what files call it."""
LanguageOfRun = Annotated[str, AfterValidator(folded_code), one_of("languages")]
"""A language of the run."""
Language = Annotated[LanguageOfRun, LANGUAGE]
"""A language of those that train together, or of the run."""
Encoding = Annotated[str, AfterValidator(checked_encoding)]
"""Of text files, by its name in Python, such as utf-8 or latin-1."""
A_PATH = BeforeValidator(_as_text)  # goes last where text has bounds, too
PathText = Annotated[str, A_PATH]
"""A path or an address."""
File = Annotated[PathText, AfterValidator(_is_named), FILE]
"""A path of a file or a folder, or an address; with `{language}`, each language has its own."""
Folder = Annotated[
    str,
    Field(pattern=r"^[^~{}$\x00-\x1f\x7f][^{}$\x00-\x1f\x7f]*$"),
    AfterValidator(_can_be_made),
]
"""A folder written out: without {, }, $, control characters, or ~ at the beginning."""
Some = Annotated[tuple[T, ...], MinLen(1)]
"""A list that is not empty."""
Line = Annotated[str, AfterValidator(_is_a_line)]
"""Text of one line."""
Name = Annotated[str, Field(pattern="^[A-Za-z0-9][A-Za-z0-9_.]{0,59}$")]
"""What file names may have in them."""


class Section(BaseModel):
    """Keys of the configuration that belong together; other keys than its own are mistakes."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        coerce_numbers_to_str=True,
        validate_default=True,
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        """Describe each key by the text below it.

        Pydantic would do so whenever a class is made (`use_attribute_docstrings`), and look through
        all modules of the process for its source: that is a tenth of the time of a plan.
        """
        schema = handler(core_schema)
        keys = handler.resolve_ref_schema(schema).get("properties", {})
        for section in reversed(cls.__mro__):
            for key, text in _texts_below_keys(section).items():
                if key in keys:
                    keys[key]["description"] = text
        return schema

    @field_validator("*", mode="wrap")
    @classmethod
    def _is_what_was_written(cls, value: Any, read: Callable[[Any], Any]) -> Any:
        """Refuse true where a number is expected, and 1.10 where a text is, which would be 1.1."""
        result = read(value)
        for before, after in zip(_members(value), _members(result), strict=False):
            became_number = isinstance(after, int | float) and after is not before
            if isinstance(before, bool) and became_number:
                raise ValueError("Input should be a number, not true or false")
            if isinstance(before, float) and isinstance(after, str):
                raise ValueError("Input should be a text; quote one that is a number")
        return result


def variants(kinds: Mapping[str, type[Section]], kind_of_keys: Callable[[Mapping], str]) -> Any:
    """Return the type of a section of several kinds, of which `kind_of_keys` tells by its keys."""

    def kind_of(value: Any) -> str:
        for name, kind in kinds.items():
            if isinstance(value, kind):
                return name
        if isinstance(value, Mapping):
            return kind_of_keys(value)
        return kind_of_keys({})

    tagged = tuple(Annotated[kind, Tag(name)] for name, kind in kinds.items())
    expected = f"Input should have a kind: one of {', '.join(kinds)}"
    tells = Discriminator(kind_of, custom_error_type="kind", custom_error_message=expected)
    return Annotated[Union[tagged], tells]  # noqa: UP007


class Part(Section):
    """What an entry of the configuration names."""

    def files(self, language: str, written: Mapping[str, str] = {}) -> dict[str, str]:
        """Return the part's own files and folders for a language, by key.

        `written` has by language how the configuration writes its code.
        """
        names = names_of(language, written)
        paths = {key: getattr(self, key) for key in self.marked(FILE)}
        return {key: path_of(path, language=names) for key, path in paths.items() if path}

    @classmethod
    def marked(cls, mark: object) -> list[str]:
        """Return the keys whose values stand for what `mark` says: `FILE` or `LANGUAGE`."""
        keys = []
        for key, field in cls.model_fields.items():
            if mark in field.metadata or mark in leaves(field.annotation):
                keys.append(key)
        return keys


@cache
def _texts_below_keys(section: type) -> dict[str, str]:
    """Return the text below each key of a class; none of a class that no source defines."""
    if not issubclass(section, Section):
        return {}
    try:
        source = inspect.getsource(section)
    except (OSError, TypeError):
        return {}
    [definition] = ast.parse(dedent(source)).body
    texts = {}
    for statement, below in pairwise(definition.body):
        match statement, below:
            case ast.AnnAssign(ast.Name(key)), ast.Expr(ast.Constant(str(text))):
                texts[key] = inspect.cleandoc(text)
    return texts


def _members(value: Any) -> Collection[Any]:
    """Return the values of a list or a mapping, or a single value."""
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple):
        return value
    return [value]


def sections_below(sections: Sequence[type[BaseModel]], key: str | int) -> list[type[BaseModel]]:
    """Return the sections that a key of some sections has; none of a name, or a number."""
    below = []
    for section in sections:
        if key in section.model_fields:
            annotations = leaves(section.model_fields[key].annotation)
            classes = [annotation for annotation in annotations if isinstance(annotation, type)]
            below += [kind for kind in classes if issubclass(kind, BaseModel)]
    return below


def leaves(annotation: Any) -> Iterator[Any]:
    """Yield an annotation, and all that it is made of."""
    yield annotation
    for argument in get_args(annotation):
        yield from leaves(argument)
