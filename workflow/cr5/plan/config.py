"""The configuration: one model of all its keys; all defaults filled in, or all mistakes told."""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    NonNegativeInt,
    PositiveInt,
    PrivateAttr,
    ValidationError,
)

from cr5.base.errors import UserError
from cr5.base.languages import by_code, folded_code, is_code
from cr5.base.processor import Choice as Processor
from cr5.contracts.catalogue import SYSTEMS, TASKS
from cr5.contracts.keys import Code, Folder, Name, Once, Section
from cr5.counts.rules import Rules, Weighting
from cr5.fitting.options import DOCUMENTS, ChannelOptions, ValidationOptions, VectorOptions
from cr5.fitting.seeds import DICTIONARY
from cr5.plan import cross_checks, mistakes
from cr5.plan.entries import (
    READ_AS_TASKS,
    Corpus,
    Entry,
    entries_of,
    read_entry,
)
from cr5.plan.kinds import KINDS, AnySetting
from cr5.plan.matrix import Pair, Row, Setting, seed_of
from cr5.plan.words import (
    ALIGNMENTS_SECTION,
    CHANNELS,
    AnyAlignments,
    AnyVectors,
    MadeAlignments,
)
from cr5.report.options import ExampleOptions, PublishedOptions
from cr5.scores.metrics import ALL, ScoreOptions
from cr5.search.options import SearchOptions
from cr5.splits.options import Sizes
from cr5.texts.dictionaries import Dictionaries

SettingName = Annotated[str, Field(pattern="^[A-Za-z0-9_]{1,60}$")]


def _distinct_codes(languages: Any) -> Any:
    """Refuse two ways to write one code; values that are no lists of codes are refused later."""
    if isinstance(languages, list):
        texts = [language for language in languages if isinstance(language, str)]
        by_code({text: None for text in texts if is_code(text)})
    return languages


def _is_single(language: str) -> str:
    """Refuse the code that stands for all languages in tables of scores."""
    if language == ALL:
        raise ValueError(f"Input should be another code: {ALL!r} is all languages in tables")
    return language


def _is_no_section(task: str) -> str:
    """Refuse the name of a section that is read as a task."""
    if task in READ_AS_TASKS:
        raise ValueError("Input should be another name than that of a section")
    return task


TaskName = Annotated[Name, AfterValidator(_is_no_section)]


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


def _first_systems() -> dict[str, dict]:
    return {"cr5": {}, "lexical_overlap": {}}


def _first_task() -> dict[str, dict]:
    return {"documents": {}}


def _first_setting() -> dict[str, dict]:
    return {"joint": {"kind": "joint"}}


class Configuration(Section):
    """One run."""

    corpus: Corpus
    """Where the text comes from."""
    languages: Annotated[
        list[Annotated[Code, AfterValidator(_is_single)]],
        Field(min_length=2),
        BeforeValidator(_distinct_codes),
        Once,
    ]
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
    systems: entries_of(SYSTEMS) = Field(default_factory=_first_systems)
    """Which systems are fitted: their options, by name."""
    tasks: entries_of(TASKS, TaskName) = Field(default_factory=_first_task)
    """What is searched for what: options, by name."""
    settings: Annotated[dict[SettingName, AnySetting], Field(min_length=1)] = Field(
        default_factory=_first_setting
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
        """The code of each language as the user writes it; file names may have it in this form."""
        return self._written

    def settings_of_models(self) -> list[Setting]:
        """Return the settings of single models, in order."""
        settings: list[Setting] = []
        for series, options in self.settings.items():
            settings += options.models(series)
        return settings

    @cached_property
    def setting_by_name(self) -> dict[str, Setting]:
        """The settings of single models, by name."""
        return {setting.name: setting for setting in self.settings_of_models()}

    @cached_property
    def matrix(self) -> list[Row]:
        """What is run: each setting with each system, repetition and task, in this order."""
        rows = []
        for setting in self.setting_by_name.values():
            repetitions = range(1, self.repetitions + 1)
            for system, repetition, task in product(setting.systems, repetitions, setting.tasks):
                rows.append(Row(setting, system, repetition, task))
        return rows

    @property
    def searched_pairs(self) -> list[Pair]:
        """The unordered language pairs that any setting searches, sorted, each once."""
        pairs: set[Pair] = set()
        for setting in self.setting_by_name.values():
            pairs.update(setting.pairs)
        return sorted(pairs)

    @property
    def main_task(self) -> str:
        """The task that Table 1 and the figures show: `documents`, or else the first one."""
        if DOCUMENTS in self.tasks:
            return DOCUMENTS
        return next(iter(self.tasks))

    @cached_property
    def all_tasks(self) -> dict[str, Entry]:
        """The tasks, and the sections whose files are read by the class of a task."""
        sections: dict[str, dict[str, Any]] = {}
        if self.dictionary:
            options = self.dictionary.model_dump()
            sections[DICTIONARY] = {"module": "lexicon_induction", **options}
        if isinstance(self.alignments, MadeAlignments):
            sentences = self.alignments.sentences
            files = sentences.model_dump(exclude={"most"})
            sections[ALIGNMENTS_SECTION] = {
                "module": "sentences",
                **files,
                "candidates": sentences.most,
            }
        if self.channels:
            files = self.channels.model_dump(include={"documents", "queries", "qrels"})
            sections[CHANNELS] = {"module": "ad_hoc", **files}
        read_as_tasks = {name: read_entry(TASKS, name, keys) for name, keys in sections.items()}
        return self.tasks | read_as_tasks

    def validated_by(self, system: str) -> Entry | None:
        """Return the task that chooses a system's hyperparameters; None if drawn documents do."""
        task = self.systems[system].own_keys.validation_task or self.validation.task
        if task == DOCUMENTS:
            return None
        return self.tasks[task]

    def draw_seed(self, repetition: int) -> int:
        """Return the seed with which a repetition draws queries and candidates."""
        if not self.splits.redraw:
            return seed_of(self.seed, 1)
        return seed_of(self.seed, repetition)

    def plain(self) -> dict[str, Any]:
        """Return all keys that are given or have a default, as JSON types."""
        return self.model_dump(mode="json", exclude_none=True)


def validated(config: Mapping[str, Any]) -> Configuration:
    """Return the configuration with all defaults filled in.

    Raises:
        UserError: it lists every mistake, each with its place. Mistakes between sections are looked
            for only if no section by itself has any.
    """
    meant = _as_meant(config)
    try:
        configuration = Configuration.model_validate(meant, context=_names_by_section(meant))
    except ValidationError as error:
        raise _refusal(mistakes.sentences(error, meant, Configuration)) from None
    between_sections = list(cross_checks.mistakes(configuration))
    if between_sections:
        raise _refusal(between_sections)
    as_written = [str(language) for language in meant["languages"]]
    configuration._written = {folded_code(language): language for language in as_written}
    return configuration


def _refusal(sentences: Iterable[str]) -> UserError:
    lines = ["The configuration has mistakes:", *sentences]
    return UserError("\n  - ".join(lines) + "\ndocs/configuration.md explains every key.")


def _names_by_section(config: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return by section the names that other keys may refer to, whether they are valid or not."""
    names = {}
    for section in ("languages", "systems", "tasks", "settings"):
        default = Configuration.model_fields[section].get_default(call_default_factory=True)
        values = config.get(section, default)
        if isinstance(values, list | dict):
            names[section] = [str(name) for name in values]
    names["languages"] = [folded_code(language) for language in names.get("languages", [])]
    other_tasks = [task for task in names.get("tasks", []) if task != DOCUMENTS]
    names["validation"] = [DOCUMENTS, *other_tasks]
    return names


def _as_meant(config: Mapping[str, Any]) -> dict[str, Any]:
    """Resolve what YAML leaves open: dates, empty sections, a setting's kind."""
    try:
        as_json = json.loads(json.dumps(config, default=str))
    except TypeError as error:
        raise UserError(f"the configuration: {error}; quote it") from error
    meant = {section: value for section, value in as_json.items() if value is not None}
    for section in ("systems", "tasks", "settings"):
        entries = meant.get(section)
        if isinstance(entries, dict):
            empty = [name for name, keys in entries.items() if keys is None]
            meant[section] = entries | {name: {} for name in empty}
    settings = meant.get("settings")
    if isinstance(settings, dict):
        for kind in KINDS:
            if isinstance(settings.get(kind), dict):
                settings[kind].setdefault("kind", kind)
    return meant
