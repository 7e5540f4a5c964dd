"""The configuration: one model of all its keys; all defaults filled in, or all mistakes told."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    NonNegativeInt,
    PositiveInt,
    ValidationError,
)

from cr5.base.catalogue import SOURCES, SYSTEMS, TASKS, Kind
from cr5.base.errors import UserError
from cr5.base.parts import Part, Section, leaves
from cr5.base.processor import Choice as Processor
from cr5.counts.rules import Rules, Weighting
from cr5.fitting.options import DOCUMENTS, ChannelOptions, ValidationOptions, VectorOptions
from cr5.fitting.seeds import DICTIONARY
from cr5.plan import cross_checks
from cr5.plan.kinds import KINDS, AnySetting, Joint
from cr5.plan.names import Code, Folder, Name, Once, SettingName
from cr5.plan.words import ALIGNMENTS_SECTION, AnyAlignments, AnyVectors, Dictionary
from cr5.report.options import ExampleOptions, PublishedOptions
from cr5.scores.metrics import ScoreOptions
from cr5.search.options import SearchOptions
from cr5.splits.options import Sizes

SHOWN = 20  # of the mistakes of one configuration
NUMBER = re.compile(r"[-+]?[0-9][0-9.]*[eE][-+]?[0-9]+")  # text to YAML without a dot and a sign


RESERVED = (DICTIONARY, ALIGNMENTS_SECTION)  # names of sections, under which files are kept


def _own_name(task: str) -> str:
    if task in RESERVED:
        raise ValueError("Input should be another name than that of a section")
    return task


Entries = Annotated[dict[Name, dict[str, Any]], Field(min_length=1)]
TaskEntries = Annotated[
    dict[Annotated[Name, AfterValidator(_own_name)], dict[str, Any]], Field(min_length=1)
]


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

    corpus: dict[str, Any]
    """Where the text comes from."""
    languages: Annotated[list[Code], Field(min_length=2), Once]
    """Two or more ISO 639-1 codes, or variants such as `zh_tw` or `pt_br`. Their order is that of
    tables and changes nothing else."""
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
    dictionary: Dictionary | None = None
    """Word pairs from which mappings are learnt."""
    alignments: AnyAlignments | None = None
    """Where word translation tables are, or what makes them."""
    channels: ChannelOptions | None = None
    """Text of one language alone, for systems and vectors that learn from it."""
    systems: Entries = Field(default_factory=lambda: {"cr5": {}, "lexical_overlap": {}})
    """Which systems are fitted: their options, by name."""
    tasks: TaskEntries = Field(default_factory=lambda: {"documents": {}})
    """What is searched for what: options, by name."""
    settings: Annotated[dict[SettingName, AnySetting], Field(min_length=1)] = Field(
        default_factory=lambda: {"joint": Joint()}
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


PLACEHOLDERS = {"corpus": {}, "languages": ["aa", "bb"]}
"""For what is needed and not there, or has mistakes, so that the rest can be checked."""


def validated(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration with all defaults filled in, as JSON types.

    Keys that are not given and have no default are left out.

    Raises:
        UserError: it lists every mistake, each with its place.
    """
    given, mistakes = _as_meant(config), []
    wrong: set[str] = set()
    names = _names(given)
    try:
        found = dict(Configuration.model_validate(given, context=names))
    except ValidationError as error:
        mistakes += _sentences((), error, given)
        wrong = {str(x["loc"][0]) for x in error.errors()}
        rest = {key: x for key, x in {**PLACEHOLDERS, **given}.items() if key not in wrong}
        found = dict(Configuration(**{**PLACEHOLDERS, **rest}))
    found = {key: x for key, x in found.items() if key not in wrong}
    for key, kind in (("systems", SYSTEMS), ("tasks", TASKS)):
        if key in found:
            entries = {x: _entry(kind, x, y, (key, x), names) for x, y in found[key].items()}
            mistakes += [said for _, wrong in entries.values() for said in wrong]
            found[key] = {name: entry for name, (entry, wrong) in entries.items() if not wrong}
    if "corpus" in found:
        found["corpus"], wrong = _entry(SOURCES, "corpus", found["corpus"], ("corpus",), names)
        mistakes += wrong
        if wrong:
            del found["corpus"]
    mistakes += cross_checks.mistakes(found, given)
    if mistakes:
        more = [f"and {len(mistakes) - SHOWN} more"] if len(mistakes) > SHOWN else []
        lines = ["The configuration has mistakes:", *mistakes[:SHOWN], *more]
        raise UserError("\n  - ".join(lines) + "\ndocs/configuration.md explains every key.")
    every = found["languages"], found["systems"], found["tasks"]
    if channels := found["channels"]:
        chosen = sorted(channels.languages or found["languages"])
        found["channels"] = channels.model_copy(update={"languages": chosen})
    found["settings"] = {x: cross_checks.completed(y, *every) for x, y in found["settings"].items()}
    return {key: _plain(x) for key, x in found.items() if x is not None}


def _names(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names that others may be of, by section, with mistakes or without."""
    defaults = {"systems": ["cr5", "lexical_overlap"], "tasks": [DOCUMENTS], "settings": ["joint"]}
    named = {"languages": given.get("languages")} | {x: given.get(x, defaults[x]) for x in defaults}
    found = {key: [*map(str, x)] for key, x in named.items() if isinstance(x, list | dict)}
    return {**found, "validation": [*dict.fromkeys([DOCUMENTS, *found.get("tasks", [])])]}


class Entry:
    """An entry of the configuration: its part, and what it says of itself."""

    def __init__(self, part: Part, own: dict[str, Any]) -> None:
        self.part, self.own = part, own

    def plain(self) -> dict[str, Any]:
        """Return both as JSON types."""
        return {**self.own, **self.part.model_dump(mode="json")}


def part(config: Mapping[str, Any], section: str, name: str) -> Part:
    """Return the part that an entry of `systems` or `tasks` names."""
    kind = SYSTEMS if section == "systems" else TASKS
    return kind.part(name, config[section][name])


def source(config: Mapping[str, Any]) -> Part:
    """Return the source of the corpus."""
    return SOURCES.part("corpus", config["corpus"])


def needs(config: Mapping[str, Any], system: str) -> tuple[str, ...]:
    """Return what a system gets besides the documents, see `System.needs`."""
    return tuple(part(config, "systems", system).needs)


def term_frequency(config: Mapping[str, Any], system: str) -> str:
    """Return how counts enter a system's features: by its own option, or by `weighting`."""
    own = config["systems"][system].get("term_frequency")
    return own or config["weighting"]["term_frequency"]


def validation_task(config: Mapping[str, Any], system: str) -> str:
    """Return the task that chooses a system's hyperparameters: its own, or `validation.task`."""
    return config["systems"][system].get("validation_task") or config["validation"]["task"]


def keeps_documents(config: Mapping[str, Any]) -> bool:
    """Return whether models keep their training documents, by which hubs are corrected."""
    return config["evaluation"]["csls_neighbourhood"] == "training"


def _entry(
    kind: Kind,
    name: str,
    keys: Mapping[str, Any],
    place: tuple[str, ...],
    names: Mapping[str, Sequence[str]],
) -> tuple[Entry | None, list[str]]:
    """Return an entry, or what is wrong with it."""
    own, others = kind.split(keys)
    wrong = []
    try:
        entry = kind.entry.model_validate(own, context=names)
        own = entry.model_dump(mode="json", exclude_unset=True)
    except ValidationError as error:
        wrong += _sentences(place, error, keys, kind.entry)
    if kind.entry.model_fields[kind.key].is_required() and kind.key not in keys:
        return None, wrong
    try:
        found = kind.kind(name, keys)
    except UserError as error:
        at = (*place, kind.key) if keys.get(kind.key) else place
        return None, [*wrong, f"{_written(at)}: {error}"]
    try:
        made = found.model_validate(others, context=names)
    except ValidationError as error:
        return None, [*wrong, *_sentences(place, error, keys, found, kind.entry)]
    return Entry(made, own), wrong


def _sentences(
    place: tuple[str, ...], error: ValidationError, given: Mapping[str, Any], *sections: type
) -> Iterator[str]:
    """Yield a sentence for each place of a mistake, pydantic's own.

    Unknown keys are compared with those of the sections; of those at the place if none are given.
    """
    said: dict[tuple[tuple, str], list[str]] = {}
    every = error.errors(include_url=False)
    within = {x["loc"][:-1] for x in every}
    for each in every:
        if each["type"] == "too_short" and each["loc"] in within and each["input"]:
            continue  # pydantic counts entries that it has just refused
        where = (*place, *_place(each, given))
        if each["type"] == "extra_forbidden":
            known = sections or _sections_at(where[:-1])
            keys = [key for x in known for key in x.model_fields]
            yield _unknown(where[:-1], str(where[-1]), keys)
        elif each["type"] == "missing":
            yield f"{_written(where)}: it is needed, and not there"
        else:
            found = f"{each['input']!r:.200}"
            if isinstance(each["input"], str) and NUMBER.fullmatch(each["input"]):
                found += "; YAML takes it for text: write it with a dot and a sign, as 1.0e-6"
            elif isinstance(each["input"], bool):
                found += '; quote "no" and "on" if text is meant'
            message = each["msg"].removeprefix("Value error, ")
            said.setdefault((where, found), []).append(message)
    for (where, found), messages in said.items():
        yield f"{_written(where)}: {' or '.join(dict.fromkeys(messages))}, found {found}"


def _place(mistake: Mapping[str, Any], given: Any) -> tuple:
    """Return where a mistake is, without what pydantic calls members of a union, and keys."""
    where = []
    for key in mistake["loc"]:
        is_list = isinstance(given, list | tuple) and isinstance(key, int)
        if is_list or (isinstance(given, Mapping) and key in given):
            where, given = [*where, key], given[key]
    needed = mistake["type"] == "missing" or not where  # a default may be wrong with the rest
    return (*where, mistake["loc"][-1]) if needed else tuple(where)


def _sections_at(place: tuple) -> list[type[BaseModel]]:
    """Return the sections whose keys may stand at a place."""
    found: list[type[BaseModel]] = [Configuration]
    for key in place:
        kinds = [x.model_fields[key].annotation for x in found if key in x.model_fields]
        parts = [leaf for kind in kinds for leaf in leaves(kind)]
        found = [x for x in parts if isinstance(x, type) and issubclass(x, BaseModel)] or found
    return found


def _unknown(place: tuple, key: str, known: Any) -> str:
    if key in known:  # which has the keys of all kinds
        return f"{_written((*place, key))}: a key of another kind than this one; remove it"
    near = get_close_matches(key, map(str, known), 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known)}"
    return f"{_written((*place, key))}: unknown key; {hint}"


def _written(place: tuple) -> str:
    return "".join(f"[{x}]" if isinstance(x, int) else f".{x}" for x in place).lstrip(".")


def _plain(value: Any) -> Any:
    """Return a section, or entries, as JSON types."""
    if isinstance(value, Entry):
        return value.plain()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, dict):
        return {key: _plain(x) for key, x in value.items()}
    if isinstance(value, list):
        return [*map(_plain, value)]
    return value


def _as_meant(config: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve what YAML leaves open: dates, empty sections, a setting's kind."""
    config = {key: x for key, x in _as_text(config).items() if x is not None}
    for section in ("systems", "tasks", "settings"):
        if isinstance(config.get(section), dict):
            config[section] = {k: {} if x is None else x for k, x in config[section].items()}
    settings = config.get("settings")
    for name in KINDS:
        if isinstance(settings, dict) and isinstance(settings.get(name), dict):
            settings[name].setdefault("kind", name)
    return config


def _as_text(value: Any) -> Any:
    """Copy, with text in place of keys and of what YAML took for a date."""
    if isinstance(value, Mapping):
        return {str(key): _as_text(x) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [_as_text(x) for x in value]
    return value.isoformat() if isinstance(value, date) else value
