"""What must hold between sections of the configuration: each check looks at several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from cr5.base.parts import FILE, LANGUAGE
from cr5.fitting.options import DOCUMENTS
from cr5.fitting.seeds import DICTIONARY
from cr5.plan.words import GivenVectors
from cr5.scores.metrics import Metrics
from cr5.texts.fetch import as_folder
from cr5.texts.reading import LANGUAGE as IN_PATH
from cr5.texts.reading import PART

if TYPE_CHECKING:
    from cr5.plan.config import Entry
    from cr5.plan.kinds import Setting

OF_WORDS = {"vectors", "alignments"}  # that a system may need
METRICS = TypeAdapter(Metrics)
NO_TEXT = "a corpus of the source matrix knows words by number only"
NO_COUNTS = "a corpus of the source matrix has weights of words"


class _AbsentError(Exception):
    """A section is not there, or has mistakes of its own: what hangs on it is not checked."""


class Sections:
    """The valid sections of a configuration, by attribute."""

    def __init__(self, found: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self._found = found
        self.given = given

    def __getattr__(self, key: str) -> Any:
        """Return a section, if it is valid."""
        if key not in self._found:
            raise _AbsentError(key)
        return self._found[key]


def mistakes(found: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return what is wrong between sections: the valid ones, and all as given."""
    said = []
    for check in CHECKS:
        try:
            said += check(Sections(found, given))
        except _AbsentError:
            continue
    return said


def completed(
    setting: Setting, languages: Sequence[str], systems: Iterable[str], tasks: Iterable[str]
) -> Setting:
    """Replace `all` by all names; put languages in the configuration's order."""
    named: dict[str, Any] = {
        "systems": setting.systems or list(systems),
        "tasks": setting.tasks or list(tasks),
    }
    if hasattr(setting, "languages"):
        named["languages"] = sorted(setting.languages or languages, key=languages.index)
    if hasattr(setting, "pairs"):
        named["pairs"] = [sorted(x, key=languages.index) for x in setting.pairs]
    if getattr(setting, "via", None):
        named["via"] = sorted(setting.via, key=languages.index)
    return setting.model_copy(update=named)


def is_drawn(entry: Entry) -> bool:
    """Say whether a task's queries are documents of the corpus, which are drawn."""
    task = entry.part
    if hasattr(task, "has_own_documents"):
        return not task.has_own_documents
    return "validation" in task.roles and not (task.reads_files or task.of_pairs)


def _vocabulary(c: Sections) -> Iterator[str]:
    if c.bags.vocabulary == "vectors" and not isinstance(c.vectors, GivenVectors):
        yield (
            "bags.vocabulary: vectors takes the words of given vectors; say where these are as "
            "`vectors: {path: folder/{language}.vec}`, or leave it out"
        )


def _channels(c: Sections) -> Iterator[str]:
    for key in ("documents", "queries", "qrels") if c.channels else ():
        if as_folder(getattr(c.channels, key)) is None:
            yield f"channels.{key}: an address, and nothing is fetched here; give a file's path"
    if c.channels and bool(c.channels.queries) != bool(c.channels.qrels):
        yield "channels: queries and qrels belong together; give both, or none of them"


def _unused(c: Sections) -> Iterator[str]:
    for section in ("systems", "tasks"):
        given = c.given.get(section)
        used = {y for x in c.settings.values() for y in getattr(x, section) or given or ()}
        for name in [x for x in given or () if x not in used]:
            yield (
                f"{section}.{name}: no setting has it; name it in "
                f"settings.{next(iter(c.settings))}.{section}, or remove it"
            )


def _metrics(c: Sections) -> Iterator[str]:
    """A metric needs ranks that the task does not have, or the class of a task names none."""
    for name, entry in c.tasks.items():
        try:
            METRICS.validate_python([*entry.part.metrics])
        except ValidationError as error:
            yield f"tasks.{name}: metrics of its class: {error.errors()[0]['msg']}"
            continue
        depth, given = entry.part.depth or inf, c.evaluation.metrics.get(name)
        for i, metric in enumerate(given or entry.part.metrics):
            kind, _, k = metric.partition("@")
            if (kind == "nDCG" and depth < inf) or float(k or inf) > depth:
                place = f"evaluation.metrics.{name}[{i}]" if given else f"tasks.{name}: metrics"
                yield (
                    f"{place}: the task ranks no candidate beyond {depth}, take Success@{depth}, "
                    f"P@{depth} or R@{depth}, found {metric!r}"
                )


def _titles(c: Sections) -> Iterator[str]:
    seen: dict[str, str] = {}
    for name, entry in c.systems.items():
        other = seen.setdefault(title := title_of(name, entry.part.title, entry.own), name)
        if other != name:
            yield f"systems.{name}: its title, {title!r}, is that of {other} too; give `title: ...`"


def title_of(name: str, title: str, keys: Mapping[str, Any]) -> str:
    """Return a system's name in print.

    It is the entry's own `title`; or the part's, followed by what the entry's name adds to the
    part's, such as `Cr5 (log)` of cr5_log; or the entry's name if the part has none.
    """
    if own := keys.get("title"):
        return own
    stem = (keys.get("module") or name).rpartition("/")[2].removesuffix(".py")
    if not title or name == stem:
        return title or name
    return f"{title} ({name.removeprefix(f'{stem}_').replace('_', ' ')})"


def _dictionaries(c: Sections) -> Iterator[str]:
    for name, entry in c.systems.items():
        if "seeds" not in entry.part.needs or c.dictionary:
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


def _alignments(c: Sections) -> Iterator[str]:
    for name, entry in c.systems.items():
        if "alignments" in entry.part.needs and not c.alignments:
            yield (
                f"systems.{name}: needs word translation tables; give "
                '`alignments: {path: "folder/{source}-{target}.tsv"}`, or have them made of '
                "parallel text, `alignments: {aligner: eflomal}`, or leave out this system"
            )


def _languages_of_systems(c: Sections) -> Iterator[str]:
    """An option of a system names a language that does not train with the others."""
    for setting in c.settings.values():
        setting = completed(setting, c.languages, c.systems, c.tasks)
        for name in (x for x in setting.systems if x in c.systems):
            part = c.systems[name].part
            for key in part.marked(LANGUAGE):
                value = getattr(part, key)
                wanted = {value} if isinstance(value, str) else {*(value or ())}
                for group in setting.groups():
                    if wanted - {*group.languages}:
                        there = ", ".join(group.languages)
                        yield f"systems.{name}.{key}: Input should be of {there}, found {value!r}"


def _without_text(c: Sections) -> Iterator[str]:
    """A corpus of numbered words has no text, and weights in place of counts."""
    if c.corpus.part.has_text:
        return
    if c.bags.vocabulary == "vectors":
        yield f"bags.vocabulary: {NO_TEXT}; leave it out"
    for name, entry in c.systems.items():
        part, place = entry.part, f"systems.{name}"
        for need in sorted({*part.needs} & OF_WORDS):
            yield f"{place}: {NO_TEXT}, and it needs {need}; leave it out"
        if part.without_counts is None:
            yield f"{place}: {NO_COUNTS}, and its topics need counts; leave it out"
        for key, value in (part.without_counts or {}).items():
            if getattr(part, key) != value:
                said = value if isinstance(value, str) else str(value).lower()
                yield f"{place}.{key}: {NO_COUNTS}, not weighed again; give `{key}: {said}`"
    for name, entry in c.tasks.items():
        if not is_drawn(entry):
            yield f"tasks.{name}: {NO_TEXT} by which its texts could be counted; leave it out"


def _labels(c: Sections) -> Iterator[str]:
    for name, entry in c.tasks.items():
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
        if not path and c.corpus.part.has_text:
            yield (
                f"tasks.{name}.path: a corpus of the source {c.corpus.own['source']} has no "
                "labels; name files that have them"
            )


def _queries(c: Sections) -> Iterator[str]:
    for name, entry in c.tasks.items():
        if is_drawn(entry) and not c.splits.max_share["test"]:
            yield (
                f"splits.max_share.test: 0 draws no test queries, but tasks.{name} asks for them; "
                "raise it, or leave out the task"
            )


def _validation(c: Sections) -> Iterator[str]:
    wanted = {"validation.task": c.validation.task}
    for name, entry in c.systems.items():
        if own := entry.own.get("validation_task"):
            wanted[f"systems.{name}.validation_task"] = own
    for key, task in wanted.items():
        known = task != DOCUMENTS and task in c.tasks
        if known and (remedy := _not_validating(c, task)) is not None:
            yield f"{key}: {task!r} has nothing to validate by; {remedy}take {DOCUMENTS}"


def _not_validating(c: Sections, task: str) -> str | None:
    """Return how a task can validate, if it cannot."""
    part = c.tasks[task].part
    if "validation" not in part.roles:
        return ""
    if getattr(part, "has_own_documents", False) and part.parts.get("validation") == "":
        return f"give the name of its part as tasks.{task}.parts.validation, or "
    if part.of_pairs and not c.dictionary:
        return "give the section `dictionary`, whose words it asks for then, or "
    if part.parallel and (part.path or part.address) and not part.validation:
        return f"set sentences aside, `tasks.{task}.validation: 300000`, or "
    return None


def _learnt(c: Sections) -> Iterator[str]:
    """A system is validated by the words that it learns from."""
    for name, entry in c.systems.items():
        task = c.tasks.get(entry.own.get("validation_task"))
        learns = getattr(entry.part, "seeds", getattr(entry.part, "dictionary_weights", True))
        is_told = task and task.part.of_pairs and "seeds" in entry.part.needs
        if is_told and learns and learns != "identical":
            yield (
                f"systems.{name}.validation_task: it asks for words of the section `dictionary`, "
                f"from which the system learns; take {DOCUMENTS}"
            )


def _files(c: Sections) -> Iterator[str]:
    """Files that a part needs are named."""
    for section in ("systems", "tasks"):
        for name, entry in getattr(c, section).items():
            part = entry.part
            if hasattr(part, "has_own_documents"):
                continue
            for key in part.marked(FILE):
                if not getattr(part, key):
                    yield (
                        f"{section}.{name}: missing {key!r}: give the path, with {IN_PATH} in it "
                        "where each language has its own"
                    )


CHECKS: tuple[Callable[[Sections], Iterator[str]], ...] = (
    _vocabulary,
    _channels,
    _unused,
    _metrics,
    _titles,
    _dictionaries,
    _alignments,
    _languages_of_systems,
    _without_text,
    _labels,
    _queries,
    _validation,
    _learnt,
    _files,
)
