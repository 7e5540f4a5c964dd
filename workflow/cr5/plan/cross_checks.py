"""What must hold between sections of the configuration.

Each check looks at some of them, its parameters; `given` is the configuration as it is written, and
`trained` are the settings of single models.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from cr5.base.parts import FILE, LANGUAGE, Task
from cr5.fitting.options import DOCUMENTS
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.words import ALIGNMENTS_SECTION, GivenVectors, MadeAlignments
from cr5.scores.metrics import Metrics
from cr5.texts.fetch import as_folder
from cr5.texts.reading import LANGUAGE as IN_PATH
from cr5.texts.reading import PART

if TYPE_CHECKING:
    from cr5.plan.config import Entry

OF_WORDS = {"vectors", "alignments"}  # that a system may need
METRICS = TypeAdapter(Metrics)
NO_TEXT = "a corpus of the source matrix knows words by number only"
NO_COUNTS = "a corpus of the source matrix has weights of words"


def mistakes(sections: Mapping[str, Any]) -> list[str]:
    """Return what is wrong between the valid sections; a check is made if it has all of its own."""
    said = []
    for check in CHECKS:
        names = inspect.signature(check).parameters
        if names.keys() <= sections.keys():
            said += check(**{name: sections[name] for name in names})
    return said


def is_drawn(entry: Entry) -> bool:
    """Say whether a task's queries are documents of the corpus, which are drawn."""
    task = entry.part
    if hasattr(task, "has_own_documents"):
        return not task.has_own_documents
    return "validation" in task.roles and not (task.reads_files or task.of_pairs)


def _vocabulary(bags, vectors) -> Iterator[str]:
    if bags.vocabulary == "vectors" and not isinstance(vectors, GivenVectors):
        yield (
            "bags.vocabulary: vectors takes the words of given vectors; say where these are as "
            "`vectors: {path: folder/{language}.vec}`, or leave it out"
        )


def _channels(channels) -> Iterator[str]:
    for key in ("documents", "queries", "qrels") if channels else ():
        if as_folder(getattr(channels, key)) is None:
            yield f"channels.{key}: an address, and nothing is fetched here; give a file's path"
    if channels and bool(channels.queries) != bool(channels.qrels):
        yield "channels: queries and qrels belong together; give both, or none of them"


def _unused(systems, tasks, settings, given) -> Iterator[str]:
    for section, entries in (("systems", systems), ("tasks", tasks)):
        used = {y for x in settings.values() for y in getattr(x, section)}
        for name in [x for x in entries if x in given.get(section, ()) and x not in used]:
            yield (
                f"{section}.{name}: no setting has it; name it in "
                f"settings.{next(iter(settings))}.{section}, or remove it"
            )


def _metrics(tasks, evaluation) -> Iterator[str]:
    """A metric needs ranks that the task does not have, or the class of a task names none."""
    for name, entry in tasks.items():
        try:
            METRICS.validate_python([*entry.part.metrics])
        except ValidationError as error:
            yield f"tasks.{name}: metrics of its class: {error.errors()[0]['msg']}"
            continue
        depth, given = entry.part.depth or inf, evaluation.metrics.get(name)
        for i, metric in enumerate(given or entry.part.metrics):
            kind, _, k = metric.partition("@")
            if (kind == "nDCG" and depth < inf) or float(k or inf) > depth:
                place = f"evaluation.metrics.{name}[{i}]" if given else f"tasks.{name}: metrics"
                yield (
                    f"{place}: the task ranks no candidate beyond {depth}, take Success@{depth}, "
                    f"P@{depth} or R@{depth}, found {metric!r}"
                )


def _titles(systems) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name, entry in systems.items():
        title = entry.title
        other = seen.setdefault(title, name)
        if other != name:
            yield f"systems.{name}: its title, {title!r}, is that of {other} too; give `title: ...`"


def _dictionaries(systems, dictionary) -> Iterator[str]:
    for name, entry in systems.items():
        if "seeds" not in entry.part.needs or dictionary:
            continue
        if getattr(entry.part, "seeds", None) == DICTIONARY:
            key, remedy = "seeds", "let it begin with `identical` strings"
        elif getattr(entry.part, "dictionary_weights", None):
            key, remedy = "dictionary_weights", "leave this option out"
        else:
            continue
        yield (
            f"systems.{name}.{key}: it learns from a dictionary; give `dictionary: "
            f'{{dictionaries: "folder/{{source}}-{{target}}.txt"}}`, or {remedy}'
        )


def _alignments(systems, alignments) -> Iterator[str]:
    for name, entry in systems.items():
        if "alignments" in entry.part.needs and not alignments:
            yield (
                f"systems.{name}: needs word translation tables; give "
                '`alignments: {path: "folder/{source}-{target}.tsv"}`, or have them made of '
                "parallel text, `alignments: {aligner: eflomal}`, or leave out this system"
            )


def _languages_of_systems(trained, systems) -> Iterator[str]:
    """An option of a system names a language that does not train with the others."""
    for setting in trained:
        for name in setting.systems:
            part = systems[name].part
            for key in part.marked(LANGUAGE):
                value = getattr(part, key)
                wanted = {value} if isinstance(value, str) else {*(value or ())}
                if wanted - {*setting.languages}:
                    there = ", ".join(setting.languages)
                    yield f"systems.{name}.{key}: Input should be of {there}, found {value!r}"


def _alike(trained) -> Iterator[str]:
    """Two settings of one name would have the same folders."""
    found = {}
    for setting in trained:
        other = found.setdefault(setting.name, setting)
        if other != setting:
            yield (
                f"settings.{setting.series}: it has a setting {setting.name!r}, as "
                f"settings.{other.series}; rename one of them"
            )


def _parallel(corpus, tasks, alignments) -> Iterator[str]:
    """Where no parallel files are named, the corpus has paragraphs."""
    named = {f"tasks.{name}": x.part for name, x in tasks.items() if x.part.parallel}
    if isinstance(alignments, MadeAlignments):
        named[f"{ALIGNMENTS_SECTION}.sentences"] = alignments.sentences
    for place, options in named.items():
        if options.path or options.address:
            continue
        if not corpus.part.parallel:
            yield (
                f"{place}: a corpus of the source {corpus.own.source} has no parallel paragraphs; "
                "give the `path` or `address` of parallel files, see docs/tasks.md"
            )
        elif (idf := getattr(options, "idf", "corpus")) != "corpus":
            yield (
                f"{place}: `idf: {idf}` is made of sentences that are not searched; the corpus's "
                "own paragraphs have none: give a `path` or `address`, or take `idf: corpus`"
            )


def _without_text(corpus, bags, systems, tasks) -> Iterator[str]:
    """A corpus of numbered words has no text, and weights in place of counts."""
    if corpus.part.has_text:
        return
    if bags.vocabulary == "vectors":
        yield f"bags.vocabulary: {NO_TEXT}; leave it out"
    for name, entry in systems.items():
        part, place = entry.part, f"systems.{name}"
        for need in sorted({*part.needs} & OF_WORDS):
            yield f"{place}: {NO_TEXT}, and it needs {need}; leave it out"
        if part.without_counts is None:
            yield f"{place}: {NO_COUNTS}, and its topics need counts; leave it out"
        for key, value in (part.without_counts or {}).items():
            if getattr(part, key) != value:
                said = value if isinstance(value, str) else str(value).lower()
                yield f"{place}.{key}: {NO_COUNTS}, not weighed again; give `{key}: {said}`"
    for name, entry in tasks.items():
        if not is_drawn(entry):
            yield f"tasks.{name}: {NO_TEXT} by which its texts could be counted; leave it out"


def _labels(tasks, corpus) -> Iterator[str]:
    for name, entry in tasks.items():
        if not hasattr(entry.part, "has_own_documents"):
            continue
        path = entry.part.path
        for asked in (IN_PATH, PART):
            if path and asked not in path:
                said = f"Input should be a path with {asked} in it, found {path!r}"
                yield f"tasks.{name}.path: {said}"
        for role in ("labelled", "test"):
            if entry.part.has_own_documents and entry.part.parts.get(role) == "":
                yield f"tasks.{name}.parts.{role}: give what the files call this part"
        if not path and corpus.part.has_text:
            yield (
                f"tasks.{name}.path: a corpus of the source {corpus.own.source} has no "
                "labels; name files that have them"
            )


def _queries(tasks, splits) -> Iterator[str]:
    for name, entry in tasks.items():
        if is_drawn(entry) and not splits.max_share["test"]:
            yield (
                f"splits.max_share.test: 0 draws no test queries, but tasks.{name} asks for them; "
                "raise it, or leave out the task"
            )


def _given(splits) -> Iterator[str]:
    """Of patterns for both parts, one matches all that the other matches."""
    given = splits.given if isinstance(splits.given, dict) else {"test": (), "validation": ()}
    for test, validation in product(given["test"], given["validation"]):
        if fnmatchcase(test, validation) or fnmatchcase(validation, test):
            yield (
                "splits.given: expected patterns of test and of validation that match no concept "
                f"both, unlike {test!r} and {validation!r}"
            )


def _validation(validation, systems, tasks, dictionary) -> Iterator[str]:
    wanted = {"validation.task": validation.task}
    for name, entry in systems.items():
        if own := entry.own.validation_task:
            wanted[f"systems.{name}.validation_task"] = own
    for key, task in wanted.items():
        if task != DOCUMENTS and task in tasks:
            for remedy in _not_validating(tasks[task].part, task, dictionary):
                yield f"{key}: {task!r} has nothing to validate by; {remedy}take {DOCUMENTS}"


def _not_validating(part: Task, task: str, dictionary: Any) -> Iterator[str]:
    """Yield how a task can validate, if it cannot."""
    if "validation" not in part.roles:
        yield ""
    elif getattr(part, "has_own_documents", False) and part.parts.get("validation") == "":
        yield f"give the name of its part as tasks.{task}.parts.validation, or "
    elif part.of_pairs and not dictionary:
        yield "give the section `dictionary`, whose words it asks for then, or "
    elif part.parallel and (part.path or part.address) and not part.validation:
        yield f"set sentences aside, `tasks.{task}.validation: 300000`, or "


def _learnt(systems, tasks) -> Iterator[str]:
    """A system is validated by the words that it learns from."""
    for name, entry in systems.items():
        task = tasks.get(entry.own.validation_task)
        learns = getattr(entry.part, "seeds", getattr(entry.part, "dictionary_weights", True))
        is_told = task and task.part.of_pairs and "seeds" in entry.part.needs
        if is_told and learns and learns != "identical":
            yield (
                f"systems.{name}.validation_task: it asks for words of the section `dictionary`, "
                f"from which the system learns; take {DOCUMENTS}"
            )


def _files(systems, tasks) -> Iterator[str]:
    """Files that a part needs are named."""
    for section, entries in (("systems", systems), ("tasks", tasks)):
        for name, entry in entries.items():
            if hasattr(entry.part, "has_own_documents"):
                continue
            for key in entry.part.marked(FILE):
                if not getattr(entry.part, key):
                    yield (
                        f"{section}.{name}: missing {key!r}: give the path, with {IN_PATH} in it "
                        "where each language has its own"
                    )


CHECKS = (
    _vocabulary,
    _channels,
    _unused,
    _alike,
    _metrics,
    _titles,
    _dictionaries,
    _alignments,
    _languages_of_systems,
    _without_text,
    _parallel,
    _labels,
    _queries,
    _given,
    _validation,
    _learnt,
    _files,
)
