"""The configuration: one model of all its keys; all defaults filled in, or all mistakes told."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import getitem
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    NonNegativeInt,
    PlainSerializer,
    PositiveInt,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import InitErrorDetails

from cr5.base.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.base.errors import UserError, did_you_mean
from cr5.base.languages import by_code, folded_code, is_code
from cr5.base.parts import PACKAGE, Code, Folder, Name, Once, Part, Section, leaves
from cr5.base.processor import Choice as Processor
from cr5.counts.rules import Rules, Weighting
from cr5.fitting.options import DOCUMENTS, ChannelOptions, ValidationOptions, VectorOptions
from cr5.fitting.seeds import DICTIONARY
from cr5.plan import cross_checks
from cr5.plan.kinds import KINDS, AnySetting
from cr5.plan.matrix import Pair, Row, Setting, seed_of
from cr5.plan.words import ALIGNMENTS_SECTION, CHANNELS, AnyAlignments, AnyVectors
from cr5.report.options import ExampleOptions, PublishedOptions
from cr5.scores.metrics import ScoreOptions
from cr5.search.options import SearchOptions
from cr5.splits.options import Sizes
from cr5.texts.dictionaries import Dictionaries

SettingName = Annotated[str, Field(pattern="^[A-Za-z0-9_]{1,60}$")]
# sections that are read as tasks, under whose names their files are kept
READ_AS_TASKS = {
    DICTIONARY: DICTIONARY,
    ALIGNMENTS_SECTION: f"{ALIGNMENTS_SECTION}.sentences",
    CHANNELS: CHANNELS,
}


def _different(languages: Any) -> Any:
    """Refuse two ways to write one code; what is no list of codes is told elsewhere."""
    if isinstance(languages, list):
        by_code({code: None for code in languages if isinstance(code, str) and is_code(code)})
    return languages


def _own_name(task: str) -> str:
    if task in READ_AS_TASKS:
        raise ValueError("Input should be another name than that of a section")
    return task


@dataclass(frozen=True)
class Entry:
    """An entry of the configuration: what it says of itself, and its part."""

    kind: Kind
    name: str
    own: Section
    part: Part

    @classmethod
    def of(cls, kind: Kind, name: str, keys: Mapping[str, Any], names: Any) -> "Entry":
        """Read an entry; ValidationError has the mistakes of both."""
        given, others = kind.split(keys)
        own = part = None
        wrong: list[InitErrorDetails] = []
        try:
            own = kind.entry.model_validate(given, context=names)
        except ValidationError as error:
            wrong += error.errors()
        try:
            if (kind.key,) not in [x["loc"] for x in wrong]:
                part = kind.kind(name, keys).model_validate(others, context=names)
        except UserError as error:
            at = (kind.key,) if keys.get(kind.key) else ()
            wrong.append({"type": "value_error", "loc": at, "input": keys, "ctx": {"error": error}})
        except ValidationError as error:
            wrong += error.errors()
        if wrong:
            raise ValidationError.from_exception_data(name, wrong)
        return cls(kind, name, own, part)

    @property
    def place(self) -> str:
        """Where it is in the configuration."""
        section = READ_AS_TASKS.get(self.name) if self.kind is TASKS else None
        return section or f"{self.kind.section}.{self.name}"

    @property
    def module(self) -> str:
        """The name of its part, or the path of one's own."""
        return getattr(self.own, self.kind.key) or self.name

    @property
    def source(self) -> Path:
        """The file of its part."""
        return self.kind.source(self.name, {self.kind.key: self.module})

    @property
    def is_own(self) -> bool:
        """Whether its part is the user's own."""
        return not self.source.is_relative_to(PACKAGE)

    @property
    def title(self) -> str:
        """A system's name in print.

        It is the entry's own `title`; or the part's, followed by what the entry's name adds to the
        part's, such as `Cr5 (log)` of cr5_log; or the entry's name if the part has none.
        """
        if self.own.title:
            return self.own.title
        stem, title = self.module.rpartition("/")[2].removesuffix(".py"), self.part.title
        if not title or self.name == stem:
            return title or self.name
        return f"{title} ({self.name.removeprefix(f'{stem}_').replace('_', ' ')})"

    def plain(self) -> dict[str, Any]:
        """Return all its keys as JSON types."""
        own = self.own.model_dump(mode="json", exclude_unset=True)
        return {**own, **self.part.model_dump(mode="json")}


def _entries(kind: Kind, name: Any = Name) -> Any:
    """Return the type of a section of entries."""

    def read(given: dict[str, dict[str, Any]], info: ValidationInfo) -> dict[str, Entry]:
        found, wrong = {}, []
        for name, keys in given.items():
            try:
                found[name] = Entry.of(kind, name, keys, info.context)
            except ValidationError as error:
                wrong += [{**x, "loc": (name, *x["loc"])} for x in error.errors()]
        if wrong:
            raise ValidationError.from_exception_data(kind.section, wrong)
        return found

    return Annotated[
        dict[name, dict[str, Any]],
        Field(min_length=1),
        AfterValidator(read),
        PlainSerializer(lambda found: {x: y.plain() for x, y in found.items()}),
    ]


TaskName = Annotated[Name, AfterValidator(_own_name)]


class Threads(Section):
    """Cores of one job; they change no result."""

    fit: PositiveInt = 1
    """Cores of a job that fits a system, at most those that snakemake has."""
    rank: PositiveInt = 1
    """Cores of a job that searches."""


class Evaluation(ScoreOptions, SearchOptions):
    """How is searched, scored and shown."""

    examples: ExampleOptions = Field(default_factory=ExampleOptions)
    """Queries in Table 2; a number is that of each direction."""


class Configuration(Section):
    """One run."""

    corpus: Annotated[
        dict[str, Any],
        AfterValidator(lambda keys, info: Entry.of(SOURCES, "corpus", keys, info.context)),
        PlainSerializer(Entry.plain),
    ]
    """Where the text comes from."""
    languages: Annotated[list[Code], Field(min_length=2), BeforeValidator(_different), Once]
    """Two or more ISO 639 codes, or variants such as `zh_tw` or `pt-BR`, which is `pt_br` in names
    and tables. Their order is that of tables and changes nothing else."""
    results: Folder = "results"
    """Folder in which that of the corpus is made."""
    seed: Annotated[NonNegativeInt, Field(le=2**32 - 1)] = 123
    """Of every random choice."""
    repetitions: PositiveInt = 1
    """How often everything random is done, each time with a seed of its own; tables show means."""
    bags: Rules = Field(default_factory=Rules)
    """Which words and documents count."""
    weighting: Weighting = Field(default_factory=Weighting)
    """Of words in documents."""
    splits: Sizes = Field(default_factory=Sizes)
    """How much is held out."""
    vectors: AnyVectors = Field(default_factory=VectorOptions)
    """How word vectors are trained, or where given ones are."""
    validation: ValidationOptions = Field(default_factory=ValidationOptions)
    """How hyperparameters are chosen."""
    dictionary: Dictionaries | None = None
    """Word pairs from which mappings are learnt."""
    alignments: AnyAlignments | None = None
    """Where word translation tables are, or what makes them."""
    channels: ChannelOptions | None = None
    """Text of one language alone, for systems that learn from it."""
    systems: _entries(SYSTEMS) = Field(default_factory=lambda: {"cr5": {}, "lexical_overlap": {}})
    """Which systems are fitted: their options, by name."""
    tasks: _entries(TASKS, TaskName) = Field(default_factory=lambda: {"documents": {}})
    """What is searched for what: options, by name."""
    settings: Annotated[dict[SettingName, AnySetting], Field(min_length=1)] = Field(
        default_factory=lambda: {"joint": {"kind": "joint"}}
    )
    """By name, who trains with whom."""
    published: list[PublishedOptions] = Field(default_factory=list)
    """Figures of a paper that this configuration makes; they stand beside ours."""
    evaluation: Evaluation = Field(default_factory=Evaluation)
    """How is searched, scored and shown."""
    processor: Processor = "common"
    """`common` keeps jobs to the instructions that x86-64 processors with AVX2 share, so that all
    of them give the same bytes; `own` uses everything that the processor of the job has."""
    threads: Threads = Field(default_factory=Threads)
    """Of a job."""
    memory_mb: PositiveInt = 4000
    """What a job that holds a corpus asks a cluster for; twice as much if it has to be repeated,
    and so on."""
    minutes: PositiveInt = 60
    """How long such a job may take on a cluster."""

    _written: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def written(self) -> dict[str, str]:
        """How the user writes the code of each language, which names of files may follow."""
        return self._written

    def models(self) -> list[Setting]:
        """Return the settings of single models, in order."""
        return [model for x, setting in self.settings.items() for model in setting.models(x)]

    @cached_property
    def trained(self) -> dict[str, Setting]:
        """The settings of single models, by name."""
        return {model.name: model for model in self.models()}

    @cached_property
    def matrix(self) -> list[Row]:
        """What is run."""
        return [
            Row(setting, system, repetition, task)
            for setting in self.trained.values()
            for system in setting.systems
            for repetition in range(1, self.repetitions + 1)
            for task in setting.tasks
        ]

    @property
    def pairs(self) -> list[Pair]:
        """The unordered pairs of all settings that are searched, sorted, each once."""
        return sorted({pair for setting in self.trained.values() for pair in setting.pairs})

    @property
    def main_task(self) -> str:
        """The task that Table 1 and the figures show: `documents`, or else the first one."""
        return DOCUMENTS if DOCUMENTS in self.tasks else next(iter(self.tasks))

    @cached_property
    def readers(self) -> dict[str, Entry]:
        """The tasks; and sections that are read as theirs."""
        found = {}
        if self.dictionary:
            found[DICTIONARY] = {"module": "lexicon_induction", **self.dictionary.model_dump()}
        if sentences := getattr(self.alignments, "sentences", None):
            keys = sentences.model_dump(exclude={"most"}) | {"candidates": sentences.most}
            found[ALIGNMENTS_SECTION] = {"module": "sentences", **keys}
        if self.channels:
            files = self.channels.model_dump(include={"documents", "queries", "qrels"})
            found[CHANNELS] = {"module": "ad_hoc", **files}
        return self.tasks | {x: Entry.of(TASKS, x, keys, None) for x, keys in found.items()}

    def validated_by(self, system: str) -> Entry | None:
        """Return the task that chooses a system's hyperparameters; None of drawn documents."""
        task = self.systems[system].own.validation_task or self.validation.task
        return None if task == DOCUMENTS else self.tasks[task]

    def draw_seed(self, repetition: int) -> int:
        """Return the seed with which a repetition draws queries and candidates."""
        return seed_of(self.seed, repetition if self.splits.redraw else 1)

    def plain(self) -> dict[str, Any]:
        """Return all keys that are given or have a default, as JSON types."""
        return self.model_dump(mode="json", exclude_none=True)


ENTRIES = {"corpus": SOURCES, "systems": SYSTEMS, "tasks": TASKS}
DEPTHS = {"corpus": 1, "systems": 2, "tasks": 2}  # of places of entries


def validated(config: Mapping[str, Any]) -> Configuration:
    """Return the configuration with all defaults filled in.

    Raises:
        UserError: it lists every mistake, each with its place; those between sections if each
            section by itself has none.
    """
    given = _as_meant(config)
    try:
        found = Configuration.model_validate(given, context=_names(given))
        mistakes = [*cross_checks.mistakes(found)]
    except ValidationError as error:
        mistakes = [*_sentences(error, given)]
    if mistakes:
        lines = ["The configuration has mistakes:", *mistakes]
        raise UserError("\n  - ".join(lines) + "\ndocs/configuration.md explains every key.")
    found._written = {folded_code(str(x)): str(x) for x in given["languages"]}
    return found


def _names(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names that others may be of, by section, with mistakes or without."""
    found = {}
    for section in ("languages", "systems", "tasks", "settings"):
        default = Configuration.model_fields[section].get_default(call_default_factory=True)
        if isinstance(names := given.get(section, default), list | dict):
            found[section] = [*map(str, names)]
    found["languages"] = [*map(folded_code, found.get("languages", []))]
    return {**found, "validation": [*dict.fromkeys([DOCUMENTS, *found.get("tasks", [])])]}


def _sentences(error: ValidationError, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each place of a mistake, pydantic's own."""
    said: dict[tuple[tuple, str], list[str]] = {}
    every = error.errors(include_url=False)
    within = {x["loc"][:-1] for x in every}
    for each in every:
        if each["type"] == "too_short" and each["loc"] in within and each["input"]:
            continue  # pydantic counts entries that it has just refused
        where = _place(each, given)
        if each["type"] == "extra_forbidden":
            known = [key for x in _sections_at(where[:-1], given) for key in x.model_fields]
            yield _unknown(where[:-1], str(where[-1]), known)
        elif each["type"] == "missing":
            yield f"{_written(where)}: it is needed, and not there"
        elif isinstance(said_by := each.get("ctx", {}).get("error"), UserError):
            yield f"{_written(where)}: {said_by}"
        else:
            found = f"{each['input']!r:.200}"
            if isinstance(each["input"], bool):
                found += '; quote "no" and "on" if text is meant'
            message = each["msg"].removeprefix("Value error, ").replace("valid tuple", "valid list")
            message, _, _ = message.partition(" or instance of ")
            said.setdefault((where, found), []).append(message)
    for (where, found), messages in said.items():
        yield f"{_written(where)}: {' or '.join(dict.fromkeys(messages))}, found {found}"


def _place(mistake: Mapping[str, Any], given: Any) -> tuple:
    """Return where a mistake is, without what pydantic calls members of a union, and keys."""
    where, loc = [], [x for x in mistake["loc"] if x != "[key]"]
    for key in loc:
        is_list = isinstance(given, list | tuple) and isinstance(key, int)
        if is_list or (isinstance(given, Mapping) and key in given):
            where, given = [*where, key], given[key]
    is_default = len(where) == DEPTHS.get(loc[0], 0) < len(loc)  # which is wrong with the rest
    needed = mistake["type"] == "missing" or is_default
    return (*where, loc[-1]) if needed else tuple(where)


def _sections_at(place: tuple, given: Mapping[str, Any]) -> list[type[BaseModel]]:
    """Return the sections whose keys may stand at a place."""
    if place and (kind := ENTRIES.get(place[0])):
        keys = reduce(getitem, place[: DEPTHS[place[0]]], given)
        return [kind.kind(place[-1], keys), kind.entry]
    found: list[type[BaseModel]] = [Configuration]
    for key in place:
        kinds = [x.model_fields[key].annotation for x in found if key in x.model_fields]
        parts = [leaf for kind in kinds for leaf in leaves(kind)]
        found = [x for x in parts if isinstance(x, type) and issubclass(x, BaseModel)] or found
    return found


def _unknown(place: tuple, key: str, known: Any) -> str:
    if key in known:  # which has the keys of all kinds
        return f"{_written((*place, key))}: a key of another kind than this one; remove it"
    return f"{_written((*place, key))}: unknown key; {did_you_mean(key, known)}"


def _written(place: tuple) -> str:
    return "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in place).lstrip(".")


def _as_meant(config: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve what YAML leaves open: dates, empty sections, a setting's kind."""
    try:
        config = json.loads(json.dumps(config, default=str))
    except TypeError as error:
        raise UserError(f"the configuration: {error}; quote it") from error
    config = {key: x for key, x in config.items() if x is not None}
    for section in ("systems", "tasks", "settings"):
        if isinstance(config.get(section), dict):
            config[section] = {k: {} if x is None else x for k, x in config[section].items()}
    settings = config.get("settings")
    for name in KINDS:
        if isinstance(settings, dict) and isinstance(settings.get(name), dict):
            settings[name].setdefault("kind", name)
    return config
