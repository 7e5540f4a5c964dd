"""What must hold between the sections of a configuration, of which each by itself is valid."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from cr5.contracts.keys import LANGUAGE
from cr5.contracts.source import Source
from cr5.contracts.task import KEYS_OF_PARALLEL_FILES, REQUIRED_BY
from cr5.fitting.options import DOCUMENTS
from cr5.plan.entries import Entry
from cr5.plan.words import GivenVectors
from cr5.scores.metrics import Metrics
from cr5.splits.options import TOGETHER

if TYPE_CHECKING:
    from cr5.plan.config import Configuration

CAN_DO_WITHOUT = ("identical", "numerals", "dictionary_and_identical")  # a dictionary
OF_TEXT = {"vectors", "alignments", "texts"}  # that a system may need
METRICS = TypeAdapter(Metrics)
NO_TEXT = "a corpus of the source matrix knows words by number only"
NO_COUNTS = "a corpus of the source matrix has weights of words"


def mistakes(config: Configuration) -> Iterator[str]:
    """Yield what is wrong, each with its place."""
    for check in OF_ALL:
        yield from check(config)
    for system in config.systems.values():
        for check in OF_SYSTEMS:
            yield from check(system, config)
    for task in config.tasks.values():
        for check in OF_TASKS:
            yield from check(task, config)


def _source(config: Configuration) -> Iterator[str]:
    """Texts are somewhere, or fetched."""
    source = config.corpus.part
    is_fetched = type(source).fetch is not Source.fetch
    if not (is_fetched or source.own_rules or getattr(source, "path", "")):
        yield "corpus: its source has neither a `path` nor the method fetch; give one of them"


def _words(config: Configuration) -> Iterator[str]:
    """The words of vectors are those of given ones, and texts have words."""
    if config.bags.vocabulary != "vectors":
        return
    if not isinstance(config.vectors, GivenVectors):
        yield (
            "bags.vocabulary: vectors takes the words of given vectors; say where these are as "
            "`vectors: {path: folder/{language}.vec}`, or leave it out"
        )
    elif not config.corpus.part.has_text:
        yield f"bags.vocabulary: {NO_TEXT}; leave it out"


def _duplicates(config: Configuration) -> Iterator[str]:
    """Texts that may be equal are there."""
    if config.splits.duplicates == TOGETHER and not config.corpus.part.has_text:
        yield f"splits.duplicates: {NO_TEXT}, so none are equal; leave it out"


def _channels(config: Configuration) -> Iterator[str]:
    """Channels have queries and judgements or neither, in files on this machine."""
    channels = config.channels
    if not channels:
        return
    if bool(channels.queries) != bool(channels.qrels):
        yield "channels: queries and qrels belong together; give both, or none of them"
    for key in ("documents", "queries", "qrels"):
        if "://" in getattr(channels, key):
            yield f"channels.{key}: an address, and nothing is fetched here; give a file's path"


def _unused(config: Configuration) -> Iterator[str]:
    """What is named is in some setting."""
    first_setting = next(iter(config.settings))
    for section in ("systems", "tasks"):
        if section not in config.model_fields_set:
            continue
        used: set[str] = set()
        for setting in config.settings.values():
            used.update(getattr(setting, section))
        for name in getattr(config, section):
            if name not in used:
                yield (
                    f"{section}.{name}: no setting has it; name it in "
                    f"settings.{first_setting}.{section}, or remove it"
                )


def _alike(config: Configuration) -> Iterator[str]:
    """Two settings of one name would have the same folders."""
    for setting in config.settings_of_models():
        last = config.setting_by_name[setting.name]
        if last != setting:
            yield (
                f"settings.{last.series}: it has a setting {last.name!r}, as "
                f"settings.{setting.series}; rename one of them"
            )


def _titles(config: Configuration) -> Iterator[str]:
    """Each system has a title of its own."""
    system_of_title: dict[str, str] = {}
    for name, entry in config.systems.items():
        first = system_of_title.setdefault(entry.title, name)
        if first != name:
            yield (
                f"systems.{name}: its title, {entry.title!r}, is that of {first} too; give "
                "`title: ...`"
            )


def _parallel(config: Configuration) -> Iterator[str]:
    """Parallel files have keys that say how they are read; without files, the corpus has text."""
    corpus = config.corpus
    for entry in config.all_tasks.values():
        task = entry.part
        if not task.parallel:
            continue
        if not task.of_corpus:
            missing = [key for key in KEYS_OF_PARALLEL_FILES if not hasattr(task, key)]
            if missing:
                instead = REQUIRED_BY["parallel"].instead
                yield f"{entry.place}: its class has no key `{missing[0]}`, for files; {instead}"
        elif not corpus.part.parallel:
            yield (
                f"{entry.place}: a corpus of the source {corpus.own_keys.source} has no parallel "
                "paragraphs; give the `path` or `address` of parallel files, see docs/tasks.md"
            )
        elif task.idf != "corpus":
            yield (
                f"{entry.place}: `idf: {task.idf}` is made of sentences that are not searched; the "
                "corpus's own paragraphs have none: give a `path` or `address`, or take "
                "`idf: corpus`"
            )


def _validation(config: Configuration) -> Iterator[str]:
    """The tasks that choose hyperparameters have searches for it."""
    task_at = {"validation.task": config.validation.task}
    for entry in config.systems.values():
        validation_task = entry.own_keys.validation_task or DOCUMENTS
        task_at[f"{entry.place}.validation_task"] = validation_task
    for place, name in task_at.items():
        if name == DOCUMENTS:
            continue
        task = config.tasks[name].part
        # validation by words asks for those that train
        lacks_words = task.of_pairs and not config.dictionary
        if "validation" not in task.roles or lacks_words:
            yield (
                f"{place}: {name!r} has nothing to validate by; take {DOCUMENTS}, or give it what "
                "docs/tasks.md says of its validation"
            )


def _needs(entry: Entry, config: Configuration) -> Iterator[str]:
    """A system has what it learns from."""
    system = entry.part
    if "alignments" in system.needs and not config.alignments:
        yield (
            f"{entry.place}: needs word translation tables; give "
            '`alignments: {path: "folder/{source}-{target}.tsv"}`, or have them made of '
            "parallel text, `alignments: {aligner: eflomal}`, or leave out this system"
        )
    if "seeds" not in system.needs or config.dictionary:
        return
    for key in ("seeds", "dictionary_weights"):
        value = getattr(system, key, None)
        if value and value not in CAN_DO_WITHOUT:
            yield (
                f"{entry.place}.{key}: it learns from a dictionary; give `dictionary: "
                '{dictionaries: "folder/{source}-{target}.txt"}`, or another value'
            )


def _languages(entry: Entry, config: Configuration) -> Iterator[str]:
    """An option names a language that does not train with the others."""
    for key in entry.part.marked(LANGUAGE):
        value = getattr(entry.part, key)
        for setting in config.setting_by_name.values():
            if entry.name not in setting.systems:
                continue
            if not _named_languages(value) <= set(setting.languages):
                trained = ", ".join(setting.languages)
                yield f"{entry.place}.{key}: Input should be of {trained}, found {value!r}"


def _named_languages(value: Any) -> set[str]:
    """Return the languages that the value of a key names: one, several or none."""
    if isinstance(value, str):
        return {value}
    return set(value or ())


def _weights(entry: Entry, config: Configuration) -> Iterator[str]:
    """A corpus of numbered words has no text, and weights in place of counts."""
    if config.corpus.part.has_text:
        return
    system = entry.part
    for need in sorted(OF_TEXT.intersection(system.needs)):
        yield f"{entry.place}: {NO_TEXT}, and it needs {need}; leave it out"
    if system.without_counts is None:
        yield f"{entry.place}: {NO_COUNTS}, and its topics need counts; leave it out"
        return
    for key, value in system.without_counts.items():
        if getattr(system, key) != value:
            in_yaml = json.dumps(value).strip('"')
            yield f"{entry.place}.{key}: {NO_COUNTS}, not weighed again; give `{key}: {in_yaml}`"


def _learnt(entry: Entry, config: Configuration) -> Iterator[str]:
    """A system is validated by the words that it learns from."""
    task = config.tasks.get(entry.own_keys.validation_task)
    if not task or not task.part.of_pairs or "seeds" not in entry.part.needs:
        return
    seeds = getattr(entry.part, "seeds", getattr(entry.part, "dictionary_weights", True))
    if seeds and seeds != "identical":
        yield (
            f"{entry.place}.validation_task: it asks for words of the section `dictionary`, from "
            f"which the system learns; take {DOCUMENTS}"
        )


def _metrics(entry: Entry, config: Configuration) -> Iterator[str]:
    """A metric needs ranks that the task does not have, or the class of a task names none."""
    task = entry.part
    try:
        METRICS.validate_python(list(task.metrics))
    except ValidationError as error:
        yield f"{entry.place}: metrics of its class: {error.errors()[0]['msg']}"
        return
    if task.depth is None:
        return
    configured_metrics = config.evaluation.metrics.get(entry.name)
    for number, metric in enumerate(configured_metrics or task.metrics):
        if not _looks_beyond(metric, task.depth):
            continue
        place = f"{entry.place}: metrics"
        if configured_metrics:
            place = f"evaluation.metrics.{entry.name}[{number}]"
        yield (
            f"{place}: the task ranks no candidate beyond {task.depth}, take "
            f"Success@{task.depth}, P@{task.depth} or R@{task.depth}, found {metric!r}"
        )


def _looks_beyond(metric: str, depth: int) -> bool:
    """Return whether a metric needs ranks beyond a depth: nDCG the ideal ranking's."""
    name, _, k = metric.partition("@")
    return name == "nDCG" or float(k or inf) > depth


def _texts(entry: Entry, config: Configuration) -> Iterator[str]:
    """The texts of a task's own files can be counted."""
    if not config.corpus.part.has_text and _has_own_files(entry):
        yield f"{entry.place}: {NO_TEXT} by which its texts could be counted; leave it out"


def _labels(entry: Entry, config: Configuration) -> Iterator[str]:
    """A task of labels has them, and parts of each kind."""
    if not entry.part.needs_labels:
        return
    for role in ("labelled", "test"):
        if entry.part.parts.get(role) == "":
            yield f"{entry.place}.parts.{role}: give what the files call this part"
    if config.corpus.part.has_text and not _has_own_files(entry):
        yield (
            f"{entry.place}.path: a corpus of the source {config.corpus.own_keys.source} has no "
            "labels; name files that have them"
        )


def _drawn(entry: Entry, config: Configuration) -> Iterator[str]:
    """Where a task asks for texts of the corpus, some are drawn."""
    asks_for_drawn = "validation" in entry.part.roles and not _has_own_files(entry)
    if asks_for_drawn and not config.splits.max_share["test"]:
        yield (
            f"splits.max_share.test: 0 draws no test queries, but {entry.place} asks for them; "
            "raise it, or leave out the task"
        )


def _has_own_files(entry: Entry) -> bool:
    return bool(entry.part.reads_files or entry.part.of_pairs)


OF_ALL = (
    _source,
    _words,
    _duplicates,
    _channels,
    _unused,
    _alike,
    _titles,
    _parallel,
    _validation,
)
OF_SYSTEMS = (_needs, _languages, _weights, _learnt)
OF_TASKS = (_metrics, _texts, _labels, _drawn)
