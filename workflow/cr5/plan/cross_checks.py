"""What must hold between the sections of a configuration, of which each by itself is valid."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from cr5.base.parts import LANGUAGE, Source
from cr5.fitting.options import DOCUMENTS
from cr5.plan.words import GivenVectors
from cr5.scores.metrics import Metrics
from cr5.splits.options import TOGETHER

if TYPE_CHECKING:
    from cr5.plan.config import Configuration, Entry

CAN_DO_WITHOUT = ("identical", "numerals", "dictionary_and_identical")  # a dictionary
OF_TEXT = {"vectors", "alignments", "texts"}  # that a system may need
METRICS = TypeAdapter(Metrics)
NO_TEXT = "a corpus of the source matrix knows words by number only"
NO_COUNTS = "a corpus of the source matrix has weights of words"


def mistakes(config: Configuration) -> Iterator[str]:
    """Yield what is wrong, each with its place."""
    checks = _source, _words, _duplicates, _channels, _unused, _alike, _titles, _parallel
    for check in (*checks, _validation):
        yield from check(config)
    for entry in config.systems.values():
        for check in (_needs, _languages, _weights, _learnt):
            yield from check(entry, config)
    for entry in config.tasks.values():
        for check in (_metrics, _texts):
            yield from check(entry, config)


def _source(config: Configuration) -> Iterator[str]:
    """Texts are somewhere, or fetched."""
    part = config.corpus.part
    is_fetched = type(part).fetch is not Source.fetch
    if not (is_fetched or part.own_rules or getattr(part, "path", "")):
        yield "corpus: its source has neither a `path` nor the method fetch; give one of them"


def _words(config: Configuration) -> Iterator[str]:
    if config.bags.vocabulary == "vectors" and not isinstance(config.vectors, GivenVectors):
        yield (
            "bags.vocabulary: vectors takes the words of given vectors; say where these are as "
            "`vectors: {path: folder/{language}.vec}`, or leave it out"
        )
    elif config.bags.vocabulary == "vectors" and not config.corpus.part.has_text:
        yield f"bags.vocabulary: {NO_TEXT}; leave it out"


def _duplicates(config: Configuration) -> Iterator[str]:
    if config.splits.duplicates == TOGETHER and not config.corpus.part.has_text:
        yield f"splits.duplicates: {NO_TEXT}, so none are equal; leave it out"


def _channels(config: Configuration) -> Iterator[str]:
    channels = config.channels
    if channels and bool(channels.queries) != bool(channels.qrels):
        yield "channels: queries and qrels belong together; give both, or none of them"
    for key in ("documents", "queries", "qrels") if channels else ():
        if "://" in getattr(channels, key):
            yield f"channels.{key}: an address, and nothing is fetched here; give a file's path"


def _unused(config: Configuration) -> Iterator[str]:
    for section in ("systems", "tasks"):
        given = getattr(config, section) if section in config.model_fields_set else ()
        used = {x for setting in config.settings.values() for x in getattr(setting, section)}
        for name in [x for x in given if x not in used]:
            yield (
                f"{section}.{name}: no setting has it; name it in "
                f"settings.{next(iter(config.settings))}.{section}, or remove it"
            )


def _alike(config: Configuration) -> Iterator[str]:
    """Two settings of one name would have the same folders."""
    for setting in config.models():
        other = config.trained[setting.name]
        if other != setting:
            yield (
                f"settings.{other.series}: it has a setting {other.name!r}, as "
                f"settings.{setting.series}; rename one of them"
            )


def _titles(config: Configuration) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name, entry in config.systems.items():
        other = seen.setdefault(entry.title, name)
        if other != name:
            yield (
                f"systems.{name}: its title, {entry.title!r}, is that of {other} too; give "
                "`title: ...`"
            )


def _parallel(config: Configuration) -> Iterator[str]:
    """Where no parallel files are named, the corpus has paragraphs."""
    for entry in config.readers.values():
        if not (entry.part.parallel and entry.part.of_corpus):
            continue
        if not config.corpus.part.parallel:
            yield (
                f"{entry.place}: a corpus of the source {config.corpus.own.source} has no parallel "
                "paragraphs; give the `path` or `address` of parallel files, see docs/tasks.md"
            )
        elif (idf := entry.part.idf) != "corpus":
            yield (
                f"{entry.place}: `idf: {idf}` is made of sentences that are not searched; the "
                "corpus's own paragraphs have none: give a `path` or `address`, or take "
                "`idf: corpus`"
            )


def _validation(config: Configuration) -> Iterator[str]:
    systems = config.systems.values()
    wanted = {f"{x.place}.validation_task": x.own.validation_task or DOCUMENTS for x in systems}
    for key, task in {"validation.task": config.validation.task, **wanted}.items():
        part = None if task == DOCUMENTS else config.tasks[task].part
        # that of words asks for those that train
        if part and ("validation" not in part.roles or (part.of_pairs and not config.dictionary)):
            yield (
                f"{key}: {task!r} has nothing to validate by; take {DOCUMENTS}, or give it what "
                "docs/tasks.md says of its validation"
            )


def _needs(entry: Entry, config: Configuration) -> Iterator[str]:
    """A system has what it learns from."""
    if "alignments" in entry.part.needs and not config.alignments:
        yield (
            f"{entry.place}: needs word translation tables; give "
            '`alignments: {path: "folder/{source}-{target}.tsv"}`, or have them made of '
            "parallel text, `alignments: {aligner: eflomal}`, or leave out this system"
        )
    for key in ("seeds", "dictionary_weights") if "seeds" in entry.part.needs else ():
        value = getattr(entry.part, key, None)
        if value and value not in CAN_DO_WITHOUT and not config.dictionary:
            yield (
                f"{entry.place}.{key}: it learns from a dictionary; give `dictionary: "
                '{dictionaries: "folder/{source}-{target}.txt"}`, or another value'
            )


def _languages(entry: Entry, config: Configuration) -> Iterator[str]:
    """An option names a language that does not train with the others."""
    for key in entry.part.marked(LANGUAGE):
        value = getattr(entry.part, key)
        wanted = {value} if isinstance(value, str) else {*(value or ())}
        for setting in config.trained.values():
            if entry.name in setting.systems and wanted - {*setting.languages}:
                there = ", ".join(setting.languages)
                yield f"{entry.place}.{key}: Input should be of {there}, found {value!r}"


def _weights(entry: Entry, config: Configuration) -> Iterator[str]:
    """A corpus of numbered words has no text, and weights in place of counts."""
    part = entry.part
    if config.corpus.part.has_text:
        return
    for need in sorted({*part.needs} & OF_TEXT):
        yield f"{entry.place}: {NO_TEXT}, and it needs {need}; leave it out"
    if part.without_counts is None:
        yield f"{entry.place}: {NO_COUNTS}, and its topics need counts; leave it out"
    for key, value in (part.without_counts or {}).items():
        if getattr(part, key) != value:
            said = value if isinstance(value, str) else str(value).lower()
            yield f"{entry.place}.{key}: {NO_COUNTS}, not weighed again; give `{key}: {said}`"


def _learnt(entry: Entry, config: Configuration) -> Iterator[str]:
    """A system is validated by the words that it learns from."""
    task = config.tasks.get(entry.own.validation_task)
    learns = getattr(entry.part, "seeds", getattr(entry.part, "dictionary_weights", True))
    is_told = task and task.part.of_pairs and "seeds" in entry.part.needs
    if is_told and learns and learns != "identical":
        yield (
            f"{entry.place}.validation_task: it asks for words of the section `dictionary`, from "
            f"which the system learns; take {DOCUMENTS}"
        )


def _metrics(entry: Entry, config: Configuration) -> Iterator[str]:
    """A metric needs ranks that the task does not have, or the class of a task names none."""
    metrics, depth = entry.part.metrics, entry.part.depth or inf
    try:
        METRICS.validate_python([*metrics])
    except ValidationError as error:
        yield f"{entry.place}: metrics of its class: {error.errors()[0]['msg']}"
        return
    given = config.evaluation.metrics.get(entry.name)
    for i, metric in enumerate(given or metrics):
        kind, _, k = metric.partition("@")
        if (kind == "nDCG" and depth < inf) or float(k or inf) > depth:
            place = f"evaluation.metrics.{entry.name}[{i}]" if given else f"{entry.place}: metrics"
            yield (
                f"{place}: the task ranks no candidate beyond {depth}, take Success@{depth}, "
                f"P@{depth} or R@{depth}, found {metric!r}"
            )


def _texts(entry: Entry, config: Configuration) -> Iterator[str]:
    """The texts of a task can be counted, or have labels; or, of the corpus, some are drawn."""
    part, corpus = entry.part, config.corpus
    has_own = part.reads_files or part.of_pairs
    if has_own and not corpus.part.has_text:
        yield f"{entry.place}: {NO_TEXT} by which its texts could be counted; leave it out"
    for role in ("labelled", "test") if part.needs_labels else ():
        if part.parts.get(role) == "":
            yield f"{entry.place}.parts.{role}: give what the files call this part"
    if part.needs_labels and not has_own and corpus.part.has_text:
        yield (
            f"{entry.place}.path: a corpus of the source {corpus.own.source} has no labels; name "
            "files that have them"
        )
    if "validation" in part.roles and not has_own and not config.splits.max_share["test"]:
        yield (
            f"splits.max_share.test: 0 draws no test queries, but {entry.place} asks for them; "
            "raise it, or leave out the task"
        )
