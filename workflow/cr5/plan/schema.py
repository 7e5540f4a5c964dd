"""The configuration as types: every key, what it may hold, and its default.

Sections used by a subpackage are that subpackage's own dataclasses, so that each default is in one
place. pydantic reads the types; see `cr5.plan.config`.
"""

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationInfo

from cr5.base.options import Section
from cr5.base.processor import Choice as Processor
from cr5.corpora.fetch.access import as_folder
from cr5.counts.rules import Rules, Weighting
from cr5.fitting.channel_options import ChannelOptions
from cr5.fitting.seeds import SECTION
from cr5.fitting.validation_options import ValidationOptions
from cr5.plan import asked_for, protocols
from cr5.plan.allowed import Folder, Language, SettingName, each_once
from cr5.plan.corpus import completed as completed_corpus
from cr5.plan.declared import impossible, same_titles
from cr5.plan.mistakes import raise_any, unexpected, unknown
from cr5.plan.options import Modules, checked, strange_languages, unmet_needs, with_defaults
from cr5.plan.setting_kinds import (
    AnySetting,
    Joint,
    Setting,
    completed,
    foreign,
    foreign_names,
)
from cr5.plan.words import (
    TABLES,
    AnyAlignments,
    AnyVectors,
    Dictionary,
    GivenVectors,
    VectorOptions,
)
from cr5.report.example_options import ExampleOptions
from cr5.scores.options import ScoreOptions
from cr5.search.options import SearchOptions
from cr5.splits.options import Sizes

Positive = Annotated[int, Field(ge=1)]


def _as_list(names: Any) -> Any:
    return [names] if isinstance(names, str) else names


def _by_name(given: Any) -> Any:
    """Show names without options as the mapping that they should be."""
    names = _as_list(given)
    if isinstance(names, list) and names and all(isinstance(x, str) for x in names):
        meant = ", ".join(f"{x}: {{}}" for x in names)
        raise ValueError(f"a mapping, {{{meant}}}")
    return given


Named = Annotated[
    dict[str, Any], Field(min_length=1, validate_default=True), BeforeValidator(_by_name)
]


@dataclass(frozen=True)
class Threads(Section):
    """Cores of one job; they change no result.

    Attributes:
        fit: cores of a job that fits a system, at most those that snakemake has.
        rank: cores of a job that searches.
    """

    fit: Positive = 1
    rank: Positive = 1


@dataclass(frozen=True)
class Evaluation(ScoreOptions, SearchOptions):
    """How is searched, scored and shown.

    Attributes:
        examples: queries in Table 2; a number is that of each direction.
    """

    examples: ExampleOptions = field(default_factory=ExampleOptions)


def _systems(systems: Modules, info: ValidationInfo) -> Modules:
    systems, mistakes = checked("systems", systems)
    # only of what is not itself a mistake
    given = {x: info.data[x] is not None for x in ("alignments", "dictionary") if x in info.data}
    raise_any(
        chain(
            mistakes,
            same_titles(systems),
            asked_for.without_text(systems, info.data.get("corpus"), info.data.get("bags")),
            unmet_needs(systems, given),
        )
    )
    return systems


def _vectors(vectors: VectorOptions | GivenVectors, info: ValidationInfo):
    bags = info.data.get("bags")
    if bags and bags.vocabulary == "vectors" and not isinstance(vectors, GivenVectors):
        raise_any(
            [
                "bags.vocabulary: vectors takes the words of given vectors; say where these are as "
                "`vectors: {path: folder/{language}.vec}`, or leave it out"
            ]
        )
    return vectors


def _channels(channels: ChannelOptions, info: ValidationInfo) -> ChannelOptions:
    languages = info.data.get("languages") or channels.languages or ()
    chosen = channels.languages or languages
    known = f"languages of the run, {', '.join(languages)}"
    mistakes = [unexpected(".languages", known, x) for x in chosen if x not in languages]
    mistakes += [
        f".{name}: an address, and nothing is fetched here; give the path of a file"
        for name in ("documents", "queries", "qrels")
        if as_folder(getattr(channels, name)) is None
    ]
    if bool(channels.queries) != bool(channels.qrels):
        mistakes += ["channels: queries and qrels belong together; give both, or none of them"]
    raise_any(mistakes)
    return replace(channels, languages=sorted(chosen))


def _tasks(tasks: Modules, info: ValidationInfo) -> Modules:
    raise_any(
        f"tasks.{name}: the name of a section, under which its files are kept; give the task "
        "another one"
        for name in tasks
        if name in (SECTION, TABLES)
    )
    tasks = with_defaults("tasks", tasks)
    known = ("corpus", "languages", "splits", "validation", "systems", "dictionary")
    raise_any(asked_for.mistakes(tasks, *(info.data.get(x) for x in known)))
    return tasks


def _setting(setting: Setting, info: ValidationInfo) -> Setting:
    """Replace `all` by all names; `info.context` has the systems, valid or not."""
    languages, systems = info.data.get("languages"), info.data.get("systems", info.context)
    tasks = info.data.get("tasks")
    strange = foreign(setting, languages) if languages else ()
    raise_any([*strange, *foreign_names(setting, systems=systems, tasks=tasks)])
    if not (languages and systems and tasks):  # themselves mistakes: nothing to compare with
        return setting
    setting = completed(setting, languages, systems, tasks)
    if "systems" in info.data:
        given = {name: systems[name] for name in setting.systems}
        raise_any(
            x for group in setting.groups() for x in strange_languages(given, group.languages)
        )
    return setting


def _settings(settings: dict[str, Setting], info: ValidationInfo) -> dict[str, Setting]:
    """Require each given system (not a default) to be fitted somewhere, and each task searched."""
    for section, given in (("systems", info.context), ("tasks", info.data.get("tasks"))):
        named = {
            x for setting in settings.values() for x in getattr(setting, section) or given or ()
        }
        raise_any(
            f"{section}.{name}: no setting has it; name it in settings.{next(iter(settings))}."
            f"{section}, or remove it"
            for name in given or ()
            if name not in named
        )
    return settings


def _evaluation(evaluation: Evaluation, info: ValidationInfo) -> Evaluation:
    tasks = info.data.get("tasks") or evaluation.metrics
    mistakes = [unknown(".metrics.", x, tasks) for x in evaluation.metrics if x not in tasks]
    mistakes += [
        unexpected(f".metrics.{task}[{i}]", expected, metric)
        for task, metrics in evaluation.metrics.items()
        if task in info.data.get("tasks", ())
        for i, metric in enumerate(metrics)
        if (expected := impossible(task, tasks[task], metric))
    ]
    raise_any(mistakes)
    return evaluation


def _protocol(named: dict[str, list[str]], info: ValidationInfo) -> dict[str, list[str]]:
    tasks = info.data.get("tasks") or named
    raise_any(unknown(".", task, tasks) for task in named if task not in tasks)
    return named


@dataclass(frozen=True)
class Configuration(Section):
    """One run. What a validator looks up must stand before what it validates.

    Attributes:
        corpus: where the text comes from.
        languages: two or more ISO 639-1 codes, or variants such as `zh_tw` or `pt_br`. Their order
            is that of tables and changes nothing else.
        results: folder in which that of the corpus is made.
        seed: of every random choice.
        repetitions: how often everything random is done, each time with a seed of its own; tables
            show means.
        bags: which words and documents count.
        weighting: of words in documents.
        splits: how much is held out.
        vectors: how word vectors are trained, or where given ones are.
        validation: how hyperparameters are chosen.
        dictionary: word pairs from which mappings are learnt.
        alignments: where word translation tables are, or what makes them.
        channels: text of one language alone, for systems and vectors that learn from it.
        systems: which systems are fitted: their options, by name.
        tasks: what is searched for what: options, by name.
        settings: by name, who trains with whom.
        protocol: by task the paper whose text, vectors and dictionaries it has, such as
            `{lexicon_induction: muse}`, so that its figures are compared with published ones: of
            `cr5`, `muse`, `wacky`, `dinu`, `opca_europarl`, `opca_wikipedia`, `opca_reuters`,
            `opca_reuters_mt`, `xcnn_sentences`, `xcnn_sentences_mt`, `xcnn_fire`, `xcnn_fire_mt`
            one or a list.
        evaluation: how is searched, scored and shown.
        processor: `common` keeps jobs to the instructions that x86-64 processors with AVX2 share,
            so that all of them give the same bytes; `own` uses everything that the processor of the
            job has.
        threads: of a job.
        memory_mb: what a job that holds a corpus asks a cluster for; twice as much if it has to be
            repeated, and so on.
        minutes: how long such a job may take on a cluster.
    """

    corpus: Annotated[
        dict[str, Any],
        AfterValidator(completed_corpus),
        Field(description="a mapping with name and source"),
    ]
    languages: Annotated[
        list[Language],
        Field(min_length=2, description="a list of two or more"),
        each_once("language"),
    ]
    results: Folder = "results"
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 123
    repetitions: Positive = 1
    bags: Rules = field(default_factory=Rules)
    weighting: Weighting = field(default_factory=Weighting)
    splits: Sizes = field(default_factory=Sizes)
    vectors: Annotated[AnyVectors, Field(validate_default=True), AfterValidator(_vectors)] = field(
        default_factory=VectorOptions
    )
    validation: ValidationOptions = field(default_factory=ValidationOptions)
    dictionary: Dictionary | None = None
    alignments: AnyAlignments | None = None
    channels: Annotated[ChannelOptions, AfterValidator(_channels)] | None = None
    systems: Annotated[Named, AfterValidator(_systems)] = field(
        default_factory=lambda: {"cr5": {}, "lexical_overlap": {}}
    )
    tasks: Annotated[Named, AfterValidator(_tasks)] = field(
        default_factory=lambda: {"documents": {}}
    )
    settings: Annotated[
        dict[SettingName, Annotated[AnySetting, AfterValidator(_setting)]],
        Field(min_length=1, validate_default=True),
        AfterValidator(_settings),
    ] = field(default_factory=lambda: {"joint": Joint()})
    protocol: Annotated[
        dict[str, Annotated[list[protocols.Name], BeforeValidator(_as_list)]],
        AfterValidator(_protocol),
    ] = field(default_factory=dict)
    evaluation: Annotated[Evaluation, AfterValidator(_evaluation)] = field(
        default_factory=Evaluation
    )
    processor: Processor = "common"
    threads: Threads = field(default_factory=Threads)
    memory_mb: Positive = 4000
    minutes: Positive = 60


ADAPTER = TypeAdapter(Configuration)
