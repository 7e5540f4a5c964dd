"""What must hold between sections of the configuration: each check looks at several of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from cr5.base.parts import FILE, FOLDER, LANGUAGE
from cr5.fitting.options import DOCUMENTS
from cr5.fitting.seeds import SECTION
from cr5.plan.words import TABLES, GivenVectors
from cr5.scores.metrics import Metrics
from cr5.texts.fetch import as_folder
from cr5.texts.reading import LANGUAGE as IN_PATH

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

    def names(self, section: str) -> list[str]:
        """The names of the entries of a section, with mistakes or without."""
        given = self.given.get(section)
        return list(given if isinstance(given, dict) else getattr(self, section))


def mistakes(found: Mapping[str, Any], given: Mapping[str, Any]) -> list[str]:
    """Return what is wrong between sections.

    Args:
        found: the valid sections.
        given: all as given.
    """
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


def _unknown(place: str, name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
    return f"{place}: there is no {name!r}; {hint}"


def _unknown_key(place: str, name: str, known: Collection[str]) -> str:
    return _unknown(f"{place}.{name}", name, known)


def _reserved(c: Sections) -> Iterator[str]:
    for name in c.names("tasks"):
        if name in (SECTION, TABLES):
            yield (
                f"tasks.{name}: the name of a section, under which its files are kept; give the "
                "task another one"
            )


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
    for language in (c.channels and c.channels.languages) or ():
        if language not in c.languages:
            yield _unknown("channels.languages", language, c.languages)


def _named(setting: Setting) -> set[str]:
    """Return the languages that a setting names."""
    own = [*(getattr(setting, "languages", None) or []), *(getattr(setting, "via", None) or [])]
    return {*own, *chain(*getattr(setting, "pairs", []))}


def _languages_of_settings(c: Sections) -> Iterator[str]:
    for name, setting in c.settings.items():
        place, pairs = f"settings.{name}", getattr(setting, "pairs", [])
        for language in {*(getattr(setting, "languages", None) or []), *chain(*pairs)}:
            if language not in c.languages:
                key = "pairs" if pairs else "languages"
                yield _unknown(f"{place}.{key}", language, c.languages)
        free = [x for x in c.languages if not any(x in pair for pair in pairs)]
        for language in getattr(setting, "via", None) or ():
            if language not in free:
                yield _unknown(f"{place}.via", language, free)


def _names_in_settings(c: Sections) -> Iterator[str]:
    for section in ("systems", "tasks"):
        known, used = c.names(section), set()
        for name, setting in c.settings.items():
            named = getattr(setting, section) or known
            used |= {*named}
            for each in named:
                if each not in known:
                    yield _unknown(f"settings.{name}.{section}", each, known)
        for name in known if section in c.given else ():
            if name not in used:
                yield (
                    f"{section}.{name}: no setting has it; name it in "
                    f"settings.{next(iter(c.settings))}.{section}, or remove it"
                )


def _metrics(c: Sections) -> Iterator[str]:
    for task, metrics in c.evaluation.metrics.items():
        if task not in c.names("tasks"):
            yield _unknown_key("evaluation.metrics", task, c.names("tasks"))
        elif task in c.tasks and (depth := c.tasks[task].part.depth):
            for i, metric in enumerate(metrics):
                name, _, k = metric.partition("@")
                if name == "nDCG" or int(k or 1) > depth:
                    yield (
                        f"evaluation.metrics.{task}[{i}]: the task ranks no candidate beyond "
                        f"{depth}, take Success@{depth}, P@{depth} or R@{depth}, found {metric!r}"
                    )


def _metrics_of_tasks(c: Sections) -> Iterator[str]:
    """The class of a task names a metric that there is not."""
    for name, entry in c.tasks.items():
        try:
            METRICS.validate_python([*entry.part.metrics])
        except ValidationError as error:
            yield f"tasks.{name}: metrics of its class: {error.errors()[0]['msg']}"


def _published(c: Sections) -> Iterator[str]:
    for i, entry in enumerate(c.published):
        place = f"published[{i}]"
        if entry.task not in c.names("tasks"):
            yield _unknown(f"{place}.task", entry.task, c.names("tasks"))
        if entry.setting not in c.names("settings"):
            yield _unknown(f"{place}.setting", entry.setting, c.names("settings"))
        for system in set(entry.rows.values()) - set(c.names("systems")):
            yield _unknown(f"{place}.rows", system, c.names("systems"))


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

    Args:
        name: of the entry.
        title: of the part.
        keys: of the entry.
    """
    if own := keys.get("title"):
        return own
    stem = (keys.get("module") or name).rpartition("/")[2].removesuffix(".py")
    if not title or name == stem:
        return title or name
    return f"{title} ({name.removeprefix(f'{stem}_').replace('_', ' ')})"


def _titles_of_examples(c: Sections) -> Iterator[str]:
    titles = c.evaluation.examples.titles
    if titles not in (None, *c.languages):
        yield _unknown("evaluation.examples.titles", titles, c.languages)


def _dictionaries(c: Sections) -> Iterator[str]:
    for name, entry in c.systems.items():
        if "seeds" not in entry.part.needs or c.dictionary:
            continue
        if getattr(entry.part, "seeds", None) == SECTION:
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
        if _named(setting) - {*c.languages}:
            continue
        setting = completed(setting, c.languages, c.systems, c.tasks)
        for name in (x for x in setting.systems if x in c.systems):
            part = c.systems[name].part
            for key in part.marked(LANGUAGE):
                value = getattr(part, key)
                wanted = {value} if isinstance(value, str) else {*(value or ())}
                for group in setting.groups():
                    if strange := wanted - {*group.languages}:
                        yield _unknown(f"systems.{name}.{key}", min(strange), group.languages)


def _languages_of_tasks(c: Sections) -> Iterator[str]:
    """A key of a task, or of the corpus, names a language that the run does not have."""
    parts = {f"tasks.{name}": entry.part for name, entry in c.tasks.items()}
    for place, part in {**parts, "corpus": c.corpus.part}.items():
        for key in part.marked(LANGUAGE):
            value = getattr(part, key)
            for language in [value] if isinstance(value, str) else value or ():
                if language not in c.languages:
                    yield _unknown(f"{place}.{key}", language, c.languages)


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
        if path and IN_PATH not in path:
            yield f"tasks.{name}.path: Input should be a path with {IN_PATH} in it, found {path!r}"
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
        if task == DOCUMENTS:
            continue
        if task not in c.names("tasks"):
            yield _unknown(key, task, dict.fromkeys([DOCUMENTS, *c.names("tasks")]))
        elif task in c.tasks and (remedy := _not_validating(c, task)) is not None:
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
            for key in part.marked(FILE, FOLDER):
                if not getattr(part, key):
                    yield (
                        f"{section}.{name}: missing {key!r}: give the path, with {IN_PATH} in it "
                        "where each language has its own"
                    )


CHECKS: tuple[Callable[[Sections], Iterator[str]], ...] = (
    _reserved,
    _vocabulary,
    _channels,
    _languages_of_settings,
    _names_in_settings,
    _metrics,
    _metrics_of_tasks,
    _published,
    _titles,
    _titles_of_examples,
    _dictionaries,
    _alignments,
    _languages_of_systems,
    _languages_of_tasks,
    _without_text,
    _labels,
    _queries,
    _validation,
    _learnt,
    _files,
)
