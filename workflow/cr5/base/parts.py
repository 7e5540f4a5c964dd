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

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, Union, get_args

from annotated_types import MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    NonNegativeFloat,
    PositiveFloat,
    PositiveInt,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)

from cr5.base.errors import UserError
from cr5.base.languages import by_code, code_of, folded_code, names_of, path_of

if TYPE_CHECKING:
    from cr5.fitting.contract import Fit, TrainingSet
    from cr5.tasks.base import Data, Search
    from cr5.texts.reading import Reading, Record

T = TypeVar("T")
PACKAGE = Path(__file__).resolve().parents[1]


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
    return path


def _as_text(path: Any) -> Any:
    return str(path) if isinstance(path, Path) else path


def _is_named(path: str, info: ValidationInfo) -> str:
    """Accept a file of an entry of the configuration; outside of one, it may be named later."""
    if info.context is not None and not path:
        raise ValueError("Input should be a path, with {language} in it where each has its own")
    return path


Once = AfterValidator(each_once)
LANGUAGE = object()  # marks text that stands for a language
FILE = object()  # marks text that stands for a file
Code = Annotated[str, AfterValidator(code_of)]
"""A language's code, such as en, pt_br or zh_hant; pt-BR is pt_br."""
Codes = Annotated[dict[str, str], AfterValidator(by_code)]
"""By a language's code, what files call it."""
Language = Annotated[str, LANGUAGE, AfterValidator(folded_code), one_of("languages")]
"""A language of those that train together, or of the run."""
File = Annotated[
    str,
    BeforeValidator(_as_text),
    AfterValidator(_is_named),
    FILE,
]
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
NEEDS = ("counts", "vectors", "seeds", "alignments", "texts", "channels")


class Section(BaseModel):
    """Keys of the configuration that belong together; other keys than its own are mistakes."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        allow_inf_nan=False,
        coerce_numbers_to_str=True,
        use_attribute_docstrings=True,
        validate_default=True,
    )

    @field_validator("*", mode="wrap")
    @classmethod
    def _bools_are_no_numbers(cls, value: Any, read: Callable[[Any], Any]) -> Any:
        result = read(value)
        for before, after in zip(_members(value), _members(result), strict=False):
            became_number = isinstance(after, int | float) and after is not before
            if isinstance(before, bool) and became_number:
                raise ValueError("Input should be a number, not true or false")
        return result


def variants(kinds: Mapping[str, type[Section]], kind_of_keys: Callable[[Mapping], str]) -> Any:
    """Return the type of a section of several kinds, of which `kind_of_keys` tells by its keys."""

    def kind_of(value: Any) -> str:
        for name, kind in kinds.items():
            if isinstance(value, kind):
                return name
        return kind_of_keys(value if isinstance(value, Mapping) else {})

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


class Source(Part):
    """The text of a corpus.

    Attributes:
        name: what the text is, such as "Wikipedia".
        licence: SPDX's name of the texts' licence, and a sentence about it.
        parallel: whether `records` also yields paragraphs of parallel text.
        together: whether the documents of a language depend on which others there are.
        has_text: whether documents have words, rather than weights of numbered ones.
        own_rules: the file of its own rules in place of `fetch`, `find` and `records`, if any.
    """

    name: ClassVar[str] = "your own documents"
    licence: ClassVar[tuple[str, str] | None] = None
    parallel: ClassVar[bool] = False
    together: ClassVar[bool] = False
    has_text: ClassVar[bool] = True
    own_rules: ClassVar[str] = ""

    def check(self) -> None:
        """Refuse, before any job, what would let a job fail; UserError."""

    def check_texts(self, path: Path | None, language: str) -> None:
        """Refuse, before any job, texts of a language that are not at the user's path; UserError.

        The path is none where texts are fetched. A file that is missing is told by snakemake.
        """
        if path and path.exists():
            self.find(path, language)

    def records(self, reading: Reading) -> Iterator[Record]:
        """Yield the documents of a language, each concept once; see `texts.reading`.

        Besides, its paragraphs, if the source is parallel, and notes on what was read.
        """
        raise NotImplementedError

    def fetch(self, languages: Sequence[str], folder: Path) -> None:
        """Get the texts of some languages, where no `path` is given."""
        raise NotImplementedError

    def find(self, path: Path, language: str) -> list[Path]:
        """Return the files at a path that have the texts of a language."""
        return [path]

    @classmethod
    def lacks_records(cls) -> bool:
        """Return whether nothing reads its texts: neither `records` nor rules of its own."""
        is_read_by_records = cls.has_text and not cls.own_rules
        return is_read_by_records and cls.records is Source.records


class System(Part):
    """Fitted on the training documents of a setting; its model embeds documents.

    Attributes:
        title: its name in print; empty for the entry's own.
        reference: the paper.
        colour: of its curves, such as `#0072B2`.
        cost: shares of `memory_mb` and `minutes` that a fit requests.
        needs: some of `NEEDS`, which it is given besides tf-idf features (see
            `fitting.contract.TrainingSet`); a property where they depend on keys.
        without_counts: values of keys under which documents may be weights already; None if they
            must be counts.
    """

    title: ClassVar[Line | Literal[""]] = ""
    reference: ClassVar[str] = ""
    colour: ClassVar[Annotated[str, Field(pattern="^#[0-9A-Fa-f]{6}$")] | None] = None
    cost: ClassVar[tuple[PositiveFloat, PositiveFloat]] = (1, 4)
    needs: ClassVar[Sequence[str]] = ()
    without_counts: ClassVar[Mapping[str, Any] | None] = {}

    @model_validator(mode="after")
    def _needs_what_there_is(self) -> System:
        if isinstance(self.needs, str) or not set(self.needs) <= set(NEEDS):
            raise UserError(
                f"{type(self).__name__}.needs: expected a list of some of {', '.join(NEEDS)}, "
                f"found {self.needs!r}"
            )
        return self

    @abstractmethod
    def fit(self, training: TrainingSet) -> Fit:
        """Fit to a training set, with one BLAS thread: more would sum in another order."""


class Task(Part):
    """Searches for which a system is scored.

    Attributes:
        roles: of its queries: `test` and, for some tasks, `validation`; a property where they
            depend on keys.
        metrics: by which ranks are scored unless the configuration names others.
        depth: the rank beyond which its searches do not look; None for no bound.
        parallel: whether its files are parallel text, which the workflow aligns for it.
        of_pairs: the key that names files of language pairs, such as dictionaries.
        needs_labels: whether its texts have labels, of its own files or of the corpus.
        is_judged: whether judgements of all languages together say what is found.
    """

    roles: ClassVar[Sequence[Literal["test", "validation"]]] = ("test",)
    metrics: ClassVar[Annotated[Sequence[str], MinLen(1)]] = (
        "Success@1",
        "Success@5",
        "Success@10",
        "RR",
    )
    depth: ClassVar[PositiveInt | None] = None
    parallel: ClassVar[bool] = False
    of_pairs: ClassVar[str] = ""
    needs_labels: ClassVar[bool] = False
    is_judged: ClassVar[bool] = False

    @abstractmethod
    def searches(self, data: Data, languages: Sequence[str], role: str) -> Iterator[Search]:
        """Yield the searches among the languages of a setting, for `test` or `validation`."""

    def records(self, files: Mapping[str, Any], language: str) -> dict[str, Any]:
        """Read the task's own texts of a language, (id, text), by a name of its choice."""
        return {}

    def tests_or_validates(self, name: str) -> bool:
        """Return whether the texts of a name in `records` are asked for or searched."""
        return True

    @property
    def reads_files(self) -> bool:
        """Return whether it has files of its own, or of parallel text."""
        return self.parallel or any(getattr(self, key) for key in self.marked(FILE))


class TaskEntry(Section):
    """What the entry of a task says beside the task's own keys."""

    module: str | None = None
    """A name of ours, or the path of one of your own; none: the entry's name."""


class SystemEntry(TaskEntry):
    """What the entry of a system says beside the system's own keys."""

    title: Line | None = None
    """Its name in print."""
    validation_task: Annotated[str, one_of("validation")] | None = None
    """The task by which its hyperparameters are chosen; none: `validation.task`."""
    rerank: Some[NonNegativeFloat] | None = None
    """Weights of the words' matches in a second stage of the search, of which validation chooses
    one after all else; none or 0: no second stage."""


class CorpusEntry(Section):
    """What the corpus says beside the source's own keys."""

    name: Name
    """Of the run; its results are in `results/{name}`."""
    source: str
    """Where the text comes from: a source's name, or the path of one of your own."""


def _members(value: Any) -> Collection[Any]:
    """Return the values of a list or a mapping, or a single value."""
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, list | tuple):
        return value
    return [value]


def leaves(annotation: Any) -> Iterator[Any]:
    """Yield an annotation, and all that it is made of."""
    yield annotation
    for argument in get_args(annotation):
        yield from leaves(argument)
